#include "kernels/reduction/logcumsumexp.h"

#include "kernels/own_dtype.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_logcumsumexp {

Kernel run_cpu;

namespace {

void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kLogcumsumexp["self"]);
  call.wrap_dim(call.integer(kLogcumsumexp["dim"]), self.dim());
  if (!call.device.is_meta()) call.require_dtype_first(self.dtype, kFloatsAndComplexes);
  call.out.fresh(TensorMeta(self.dtype, self.sizes, call.device));
}

/// Like PyTorch, checks the dtype of `out` before the dtype of the input.
void out_rule(RuleCall& call) {
  require_own_dtype(call, kLogcumsumexp.out(), call.meta(kLogcumsumexp["self"]).dtype);
  derived_out_rule(call);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kLogcumsumexp)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .dtypes(kFloatsAndComplexes)
                    .sample("f32[2,3,4], 1")
                    .sample("bf16[2,3]{1,2}, -1")
                    .sample("c64[4], 0")
                    .refuses("", "i64[2], 0");
  r.add_out(op, "out").with_rule(out_rule);
}

}  // namespace ersatz::op_logcumsumexp
