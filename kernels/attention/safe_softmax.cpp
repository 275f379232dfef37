#include "kernels/attention/safe_softmax.h"

#include "kernels/reduction/softmax_rows.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_safe_softmax {
namespace {

void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kSafeSoftmax["self"]);
  call.wrap_dim(call.integer(kSafeSoftmax["dim"]), in.dim());
  const DType t = call.has(kSafeSoftmax["dtype"]) ? call[kSafeSoftmax["dtype"]].as_dtype() : in.dtype;
  if (!kFloats.has(t) && !call.device.is_meta() && size_ne(in.numel(), 0)) [[unlikely]] {
    call.require_dtype(t, kFloats);
  }
  if (is_complex(in.dtype)) call.refuse(ErrorFamily::Type, "C1", "complex numbers have no order: input is {}", in);
  call.out.fresh(TensorMeta(t, in.sizes, call.device));
}

void run_cpu(KernelCall& call) {
  softmax_into(call.tensor(kSafeSoftmax["self"]), call.outputs[0], call.integer(kSafeSoftmax["dim"]),
               SoftmaxKind::HiddenRowsAreZero);
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kSafeSoftmax)
      .with_rule(rule)
      .cpu(run_cpu)
      .dtypes(kFloats)
      .sample("f32[2,3,4], -1")
      .sample("f64[2,3]{1,2}, 0")
      .sample("i64[4], 0, f32")
      .refuses("C1", "c64[0,2], 0");
}

}  // namespace ersatz::op_safe_softmax
