#include "kernels/reduction/softmax.h"

#include "kernels/own_dtype.h"
#include "kernels/reduction/softmax_rows.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_softmax {
namespace {

void rule(RuleCall& call) {
  static constexpr Schemas kArgs{kSoftmax, kLogSoftmax};
  const TensorMeta& in = call.meta(kArgs["self"]);
  call.wrap_dim(call.integer(kArgs["dim"]), in.dim());
  const bool widen = call.boolean(kArgs["half_to_float"]);
  if (widen) {
    call.require(call.device.is_cuda() && in.dtype == DType::F16, "C1",
                 "half_to_float converts f16 on cuda only: input is {}", in);
  }
  if (!((kFloats).has(in.dtype)) && !call.device.is_meta() && size_ne(in.numel(), 0)) [[unlikely]] {
    call.require_dtype(in.dtype, kFloats);
  }
  call.out.fresh(TensorMeta(widen ? DType::F32 : in.dtype, in.sizes, call.device));
}

/// Rule of softmax.int and log_softmax.int(self, dim, dtype), which first convert the elements to `dtype`.
void converting_rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kSoftmaxInt["self"]);
  call.wrap_dim(call.integer(kSoftmaxInt["dim"]), in.dim());
  const DType t = call.has(kSoftmaxInt["dtype"]) ? call[kSoftmaxInt["dtype"]].as_dtype() : in.dtype;
  if (!kFloats.has(t) && !call.device.is_meta() && size_ne(in.numel(), 0)) [[unlikely]] {
    call.require_dtype(t, kFloats);
  }
  call.out.fresh(TensorMeta(t, in.sizes, call.device));
}

/// Like PyTorch, checks the dtype of `out` before it refuses dtypes that have no kernel.
void converting_out_rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kSoftmaxInt["self"]);
  call.wrap_dim(call.integer(kSoftmaxInt["dim"]), in.dim());
  require_own_dtype(call, kSoftmaxInt.out(),
                    call.has(kSoftmaxInt["dtype"]) ? call[kSoftmaxInt["dtype"]].as_dtype() : in.dtype);
  derived_out_rule(call);
}

void add_converting(Registry& r, const std::string& name, FillKernel kernel) {
  OpEntry& op = r.add(kSoftmaxInt.with(name))
                    .with_rule(converting_rule)
                    .cpu(kernel)
                    .dtypes(kFloats)
                    .sample("f32[2,3,4], -1")
                    .sample("i64[2,3]{1,2}, 0, f32");
  r.add_out(op, "int_out", kGeneratedForm).with_rule(converting_out_rule);
}

void run_softmax_cpu(KernelCall& call) {
  static constexpr Schemas kArgs{kSoftmaxInt, kSoftmax};
  softmax_into(call.tensor(kArgs["self"]), call.outputs[0], call.integer(kArgs["dim"]), SoftmaxKind::Probabilities);
}
void run_log_softmax_cpu(KernelCall& call) {
  static constexpr Schemas kArgs{kSoftmaxInt, kLogSoftmax};
  softmax_into(call.tensor(kArgs["self"]), call.outputs[0], call.integer(kArgs["dim"]), SoftmaxKind::Logarithms);
}

}  // namespace

void register_ops(Registry& r) {
  add_converting(r, "softmax", run_softmax_cpu);
  add_converting(r, "log_softmax", run_log_softmax_cpu);
  OpEntry& softmax = r.add(kSoftmax)
                         .tag(Tag::Core)
                         .with_rule(rule)
                         .cpu(run_softmax_cpu)
                         .dtypes(kFloats)
                         .sample("f32[2,3,4], -1, False")
                         .sample("f64[2,3,4]{1,2,6}, 1, False")
                         .sample("bf16[5], 0, False")
                         .refuses("C1", "f32[2], 0, True");
  r.add_out(softmax, "out");
  OpEntry& log_softmax = r.add(kLogSoftmax)
                             .tag(Tag::Core)
                             .with_rule(rule)
                             .cpu(run_log_softmax_cpu)
                             .dtypes(kFloats)
                             .sample("f32[2,3,4], -1, False")
                             .sample("f64[2,3,4]{1,2,6}, 1, False")
                             .refuses("C1", "f32[2], 0, True");
  r.add_out(log_softmax, "out");
}

}  // namespace ersatz::op_softmax

namespace ersatz::ops {

Tensor _softmax(const Tensor& self, int64_t dim, bool half_to_float) {
  return call_op<"aten._softmax.default">(self, dim, half_to_float);
}

Tensor _log_softmax(const Tensor& self, int64_t dim, bool half_to_float) {
  return call_op<"aten._log_softmax.default">(self, dim, half_to_float);
}

}  // namespace ersatz::ops
