#include "kernels/reduction/max_dim.h"

#include "kernels/sorting/selection_rule.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_max_dim {

Kernel run_max_cpu, run_min_cpu;

namespace {

// Arguments: (self, dim, keepdim).
void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kMaxDim["self"]);
  const DimMask mask = reduced_dim(call, kMaxDim["dim"], self.dim());
  require_nonempty(call, self, mask, "C1");
  if (is_complex(self.dtype)) call.refuse(ErrorFamily::Type, "C2", "complex numbers have no order: input is {}", self);
  if (kLimitedDTypes.has(self.dtype) && !call.device.is_meta()) [[unlikely]]
    call.require_dtype(self.dtype, self.dim() > 0 ? kReals | kBool : kLimitedDTypes);
  add_selection(call, mask, call.boolean(kMaxDim["keepdim"]));
}

void out_rule(RuleCall& call) {
  derived_out_rule(call);
  require_two_tensors(call, kMaxDim.count(), call.boolean(kMaxDim["keepdim"]));
}

void add(Registry& r, const std::string& name, FillKernel kernel, const std::string& out,
         std::initializer_list<std::string_view> written) {
  OpEntry& op = r.add(kMaxDim.with(name))
                    .tag(Tag::Core)
                    .with_rule(rule)
                    .cpu(kernel)
                    .dtypes(kReals | kBool)
                    .sample("f32[2,3,4], 1")
                    .sample("i8[2,3,4]{1,8,2}, -1, True")
                    .refuses("C1", "f32[2,0], 1")
                    .refuses("C2", "c64[2], 0");
  r.add_out(op, out, std::nullopt, written).with_rule(out_rule);
}

}  // namespace

void register_ops(Registry& r) {
  add(r, "max", run_max_cpu, "dim_max", {"max", "max_values"});
  add(r, "min", run_min_cpu, "dim_min", {"min", "min_indices"});
}

}  // namespace ersatz::op_max_dim
