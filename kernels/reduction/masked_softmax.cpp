#include "kernels/reduction/masked_softmax.h"

#include <limits>

#include "kernels/indexing/masked_fill.h"
#include "kernels/reduction/softmax.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/output_meta.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/squeeze.h"
#include "kernels/wide_operand.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/kernel.h"
#include "runtime/op/registry.h"

namespace ersatz::op_masked_softmax {
namespace {

/// Returns `dim`, or the last of `rank` dims if `dim` is None.
int64_t asked_dim(const Value& dim, int64_t rank) { return dim.is_none() ? rank - 1 : dim.as_int().guard_int(); }

void rule(RuleCall& call) {
  static constexpr auto& k = kMaskedSoftmax;
  const TensorMeta &self = call.meta(k["self"]), &mask = call.meta(k["mask"]);
  call.require(mask.dtype == DType::Bool, "C1", "the mask must be bool: it is {}", mask);
  const int64_t type = call.has(k["mask_type"]) ? call.integer(k["mask_type"]) : 2;
  bool fits = mask.dim() == self.dim() && check_eq(mask.sizes, self.sizes);
  if (!fits && (type == 0 || type == 1) && self.dim() == 4 && mask.dim() == 2) {
    fits = check_eq(mask.sizes[0], self.sizes[type == 0 ? 2 : 0]) && check_eq(mask.sizes[1], self.sizes[2]) &&
           check_eq(self.sizes[2], self.sizes[3]);
  }
  call.require(fits, "C2",
               "the mask must have the sizes of the input or, beside [batch, heads, n, n], be [n, n] of mask_type 0, "
               "[batch, n] of 1: mask_type is {}, they are {} and {}",
               type, mask, self);
  call.wrap_dim(asked_dim(call[k["dim"]], self.dim()), self.dim());
  call.require_dtype(self.dtype, kFloats);
  answer_like(call, self);
}

void run(KernelCall& call) {
  static constexpr auto& k = kMaskedSoftmax;
  const Tensor self = wide_operand(call.tensor(k["self"]));
  if (self.numel().as_int() == 0) return;
  Tensor mask = call.tensor(k["mask"]);
  if (mask.dim() != self.dim() && call.integer(k["mask_type"]) == 1) mask = ops::unsqueeze(ops::unsqueeze(mask, 1), 1);
  const Tensor left = ops::masked_fill(self, mask, Scalar(-std::numeric_limits<double>::infinity()));
  ops::copy_(call.outputs[0], ops::_softmax(left, asked_dim(call[k["dim"]], self.dim())));
}

void backward_rule(RuleCall& call) {
  static constexpr auto& k = kMaskedSoftmaxBackward;
  const TensorMeta &grad = call.meta(k["grad_output"]), &output = call.meta(k["output"]), &mask = call.meta(k["mask"]);
  call.require(mask.dim() == grad.dim() && check_eq(mask.sizes, grad.sizes), "C2",
               "the mask must have the sizes of grad_output: they are {} and {}", mask, grad);
  call.require(mask.dtype == DType::Bool, "C1", "the mask must be bool: it is {}", mask);
  call.wrap_dim(asked_dim(call[k["dim"]], output.dim()), grad.dim());
  call.require_dtype(grad.dtype, kFloats);
  call.require(output.dtype == grad.dtype && check_ge(output.numel(), grad.numel()), "C3",
               "output must have the dtype and the elements of grad_output: they are {} and {}", output, grad);
  call.out.fresh(TensorMeta(grad.dtype, grad.dim() == 0 ? DimVec{SymInt(1)} : grad.sizes, call.device));
}

void run_backward(KernelCall& call) {
  static constexpr auto& k = kMaskedSoftmaxBackward;
  const Tensor grad = wide_operand(call.tensor(k["grad_output"])), mask = call.tensor(k["mask"]);
  if (grad.numel().as_int() == 0) return;
  const auto counting = [&](const Tensor& t) { return ops::masked_fill(t, mask, Scalar(0)); };
  const Tensor given = wide_operand(call.tensor(k["output"])),
               first = ops::slice(ops::reshape(given, DimVec{-1}), 0, SymInt(0), grad.numel()),
               output = ops::reshape(first, grad.sizes());
  const Tensor result = call_op<"aten._softmax_backward_data.default">(
      counting(grad), counting(output), asked_dim(call[k["dim"]], given.dim()), grad.dtype());
  ops::copy_(call.outputs[0], counting(result));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kMaskedSoftmax)
                    .with_rule(rule)
                    .every_device(run)
                    .dtypes(kFloats)
                    .sample("f32[2,3,4], bool[2,3,4]", 0, 1)
                    .sample("f64[2,3,4], bool[2,3,4], 1", 0, 1)
                    .sample("f16[2,3,4,4], bool[4,4], None, 0", 0, 1)
                    .sample("f32[2,3,4,4], bool[2,4], None, 1", 0, 0)
                    .refuses("C1", "f32[2,3], f32[2,3]")
                    .refuses("C2", "f32[2,3,4,4], bool[4,4], None, 1")
                    .refuses("dim", "f32[2,3], bool[2,3], 2");
  r.add_out(op, "out", kGeneratedForm);
  OpEntry& backward = r.add(kMaskedSoftmaxBackward)
                          .with_rule(backward_rule)
                          .every_device(run_backward)
                          .dtypes(kFloats)
                          .sample("f32[2,3,4], f32[2,3,4], bool[2,3,4]", 0, 1)
                          .sample("bf16[2,3,4], bf16[2,3,4], bool[2,3,4], 1", 0, 1)
                          .sample("f64[], f64[], bool[]", 0, 1)
                          .refuses("C1", "f32[2,3], f32[2,3], f32[2,3]")
                          .refuses("C2", "f32[2,3], f32[2,3], bool[3]")
                          .refuses("C3", "f32[2,3], f64[2,3], bool[2,3]")
                          .refuses("C3", "f32[2,3], f32[3], bool[2,3]");
  r.add_out(backward, "out", kGeneratedForm);
}

}  // namespace ersatz::op_masked_softmax
