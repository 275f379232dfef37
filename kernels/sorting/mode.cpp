#include "kernels/sorting/mode.h"

#include "kernels/own_dtype.h"
#include "kernels/sorting/selection_rule.h"
#include "runtime/op/derived.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_mode {

Kernel run_cpu;

namespace {

void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kMode["self"]);
  const DimMask mask = reduced_dim(call, kMode["dim"], self.dim());
  require_nonempty(call, self, mask, "C1");
  constexpr DTypeSet kOrdered = kReals | kBool;
  if (!kOrdered.has(self.dtype) && !call.device.is_meta() && size_ne(self.numel(), 0)) [[unlikely]] {
    call.require_dtype(self.dtype, self.dim() > 0 ? kOrdered : kEveryDType);
  }
  add_selection(call, mask, call.boolean(kMode["keepdim"]));
}

/// PyTorch checks the dtypes of written arguments before it checks anything else.
void out_rule(RuleCall& call) {
  require_own_dtype(call, kMode.count(), call.meta(kMode["self"]).dtype);
  require_own_dtype(call, kMode.count() + 1, DType::I64);
  kernel_first_out_rule(call);
  require_two_tensors(call, kMode.count(), call.boolean(kMode["keepdim"]));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kMode)
                    .tag(kTiesByDevice)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .dtypes(kReals | kBool)
                    .sample("i64[2,3,4]", 0, 2)
                    .sample("f32[2,3,4]{1,8,2}, 1, True")
                    .refuses("C1", "f32[2,0], 1");
  r.add_out(op, "values", std::nullopt, {"values", "indices"}).with_rule(out_rule);
}

}  // namespace ersatz::op_mode
