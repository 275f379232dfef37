#include "kernels/sorting/topk.h"

#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_topk {

Kernel run_cpu;

namespace {

// Arguments of the operator: (self, k, dim, largest, sorted).
void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kTopk["self"]);
  const auto dim = static_cast<size_t>(call.wrap_dim(call.integer(kTopk["dim"]), self.dim()));
  const SymInt k = call.sym(kTopk["k"]), n = self.dim() == 0 ? SymInt(1) : self.sizes[dim];
  call.require(check_ge(k, 0) && check_le(k, n), "C1", "k must lie in [0, {}], it is {}: input is {}", n, k, self);
  if (!call.device.is_meta()) {
    if (is_complex(self.dtype))
      call.refuse(ErrorFamily::Type, "C2", "complex numbers have no order: input is {}", self);
    // PyTorch's CPU code refuses bool before it checks `out`.
    if (self.dtype == DType::Bool && call.device.is_cpu()) call.require_dtype_first(self.dtype, kReals);
    // PyTorch copies a tensor without dims, so limited dtypes are accepted.
    call.require_dtype(self.dtype, self.dim() > 0 ? kReals : kReals | kLimitedDTypes);
  }
  DimVec sizes(self.sizes);
  if (self.dim() > 0) sizes[dim] = k;
  call.out.fresh(TensorMeta(self.dtype, sizes, call.device));
  call.out.fresh(TensorMeta(DType::I64, sizes, call.device));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kTopk)
                    .tag(Tag::Core | kTiesByDevice)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .dtypes(kReals)
                    .sample("f32[2,3,4], 2")
                    .sample("i64[2,3,4]{1,8,2}, 3, 1, False, False")
                    .sample("f16[200], 1, 0")
                    .refuses("C1", "f32[3], 4")
                    .refuses("C2", "c64[3], 1");
  r.add_out(op, "values", std::nullopt, {"values", "indices"});
}

}  // namespace ersatz::op_topk
