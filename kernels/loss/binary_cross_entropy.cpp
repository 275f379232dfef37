#include "kernels/loss/binary_cross_entropy.h"

#include "kernels/creation/empty.h"
#include "kernels/loss/probabilities.h"
#include "kernels/loss/reduction.h"
#include "kernels/own_dtype.h"
#include "kernels/pointwise/clamp.h"
#include "kernels/pointwise/iterator_layout.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/random/host_draw.h"
#include "kernels/shape/broadcast.h"
#include "kernels/shape/expand.h"
#include "kernels/shape/output_meta.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/resize.h"
#include "kernels/shape/squeeze.h"
#include "kernels/wide_operand.h"
#include "runtime/op/composite.h"
#include "runtime/op/derived.h"
#include "runtime/op/kernel.h"
#include "runtime/op/registry.h"
#include "runtime/op/type_promotion.h"
#include "runtime/op/written_memory.h"

namespace ersatz::op_binary_cross_entropy {
namespace {

TensorMeta squeezed(const TensorMeta& t) {
  TensorMeta result(t.dtype, std::span<const SymInt>(), t.device);
  for (int64_t d = 0; d < t.dim(); ++d) {
    if (size_eq(t.sizes[d], 1)) continue;
    result.sizes.push_back(t.sizes[d]);
    result.strides.push_back(t.strides[d]);
  }
  return result;
}

/// Returns the metadata of the loss of each element, which has no dims of size 1. `operands` are the positions of all
/// operands, in the order in which ATen's TensorIterator reads their layouts.
template <size_t n>
TensorMeta elements_of(const RuleCall& call, const TensorMeta& self, const Position (&operands)[n]) {
  TensorMeta squeezes[n];
  const TensorMeta* metas[n];
  for (size_t i = 0; i < n; ++i) {
    const TensorMeta& t = call.meta(operands[i]);
    call.require(t.dtype == self.dtype, "C2", "{} must have the dtype of self, {}: it is {}",
                 call.op.schema.arguments[operands[i]].name, name(self.dtype), t);
    squeezes[i] = squeezed(t);
    metas[i] = &squeezes[i];
  }
  TensorMeta elements(self.dtype, std::span<const SymInt>(), self.device);
  BroadcastMismatch mismatch;
  call.require(iterator_layout(metas, std::nullopt, elements, mismatch), "C1", "{} must fit self, {}: it is {}",
               call.op.schema.arguments[operands[n - 1]].name, self, call.meta(operands[n - 1]));
  return elements;
}

template <size_t n>
void check(const RuleCall& call, const TensorMeta& self, const Position (&operands)[n], Position weight) {
  const TensorMeta elements = elements_of(call, self, operands);
  call.require_dtype(self.dtype, kFloats);
  // If the number of losses differs from the number of elements of self, the result still has self's sizes.
  call.require(!call.device.is_cuda() || check_eq(elements.sizes, squeezed(self).sizes), "C1",
               "{} must fit self, {}: it is {}", call.op.schema.arguments[operands[n - 1]].name, self,
               call.meta(operands[n - 1]));
  if (!call.has(weight)) return;
  const TensorMeta& w = call.meta(weight);
  call.require(broadcasts_to(w.sizes, self.sizes) && can_cast(promote_types(w.dtype, self.dtype), self.dtype), "C3",
               "weight must broadcast to self, {}, and not widen its dtype: it is {}", self, w);
}

constexpr Position kLossOperands[] = {kLoss["self"], kLoss["target"]};
constexpr Position kBackwardOperands[] = {kBackward["grad_output"], kBackward["self"], kBackward["target"]};

void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kLoss["self"]);
  check(call, self, kLossOperands, kLoss["weight"]);
  TensorMeta& out = answer_like(call, self);
  if (reduces(call.integer(kLoss["reduction"]))) out = TensorMeta(self.dtype, std::span<const SymInt>(), self.device);
}
void backward_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kBackward["self"]);
  check(call, self, kBackwardOperands, kBackward["weight"]);
  answer_like(call, self);
}

/// Computes an `out=` overload. ATen writes to the view out.squeeze(), and resizes that view if its sizes differ. `out`
/// keeps its sizes, so its elements are whatever the view has written to the memory of `out`.
struct Written {
  CompositeCall& call;
  Tensor out;
  TensorMeta elements;

  template <size_t n>
  Written(CompositeCall& c, Position self, const Position (&operands)[n], Position at)
      : call(c), out(c.tensor(at)), elements(elements_of(c, c.meta(self), operands)) {
    require_own_dtype(call, at, elements.dtype);
    Value read[n];
    for (size_t i = 0; i < n; ++i) read[i] = call[operands[i]].borrowed();
    require_no_overlap(call, out.impl(), read, {});
    call.require_dtype(elements.dtype, kFloats);
  }
  /// Returns the operand at a position, squeezed and expanded to the sizes of the losses.
  Tensor operand(Position at) const {
    return ops::expand(call_op<"aten.squeeze.default">(call.tensor(at)), elements.sizes);
  }
  void write(const Tensor& values, Position weight) const {
    write(call_op<"aten.squeeze.default">(out), elements, values, weight);
  }
  /// Writes `values` to `to`, which is resized to `wanted`. REQUIRES: `to` is `out` or a view of `out`.
  void write(const Tensor& to, const TensorMeta& wanted, const Tensor& values, Position weight) const {
    if (!same_sizes(to.sizes(), wanted.sizes)) {
      ops::resize_(to, wanted.sizes);
      call_op<"aten.as_strided_.default">(to, wanted.sizes, wanted.strides, std::nullopt);
    }
    ops::copy_(to, values);
    if (call.has(weight)) call_op<"aten.mul_.Tensor">(out, call.tensor(weight));
  }
};

void loss_out(CompositeCall& call) {
  const Written to(call, kLoss["self"], kLossOperands, kLoss.out());
  to.write(ops::binary_cross_entropy(to.operand(kLoss["self"]), to.operand(kLoss["target"]), {}, kReduceNone),
           kLoss["weight"]);
  if (const int64_t reduction = call.integer(kLoss["reduction"]); reduces(reduction)) {
    const Tensor loss = reduced(to.out, reduction);
    ops::resize_(to.out, loss.sizes());
    ops::copy_(to.out, loss);
  }
  call.returns(call[kLoss.out()]);
}
/// On CUDA, ATen writes the gradient to `out` itself instead of a squeezed view, with all dims of self.
void write_whole_gradient(const Written& to) {
  const Tensor self = to.call.tensor(kBackward["self"]), target = to.call.tensor(kBackward["target"]);
  const Tensor grad = ops::expand(to.call.tensor(kBackward["grad_output"]), self.sizes());
  const TensorMeta* const operands[] = {&grad.meta(), &self.meta(), &target.meta()};
  TensorMeta wanted(self.dtype(), self.sizes(), self.device());
  iterator_layout(to.call, operands, std::nullopt, wanted);
  to.write(to.out, wanted, ops::binary_cross_entropy_backward(grad, self, target, {}, kReduceNone),
           kBackward["weight"]);
}
void gradient_out(CompositeCall& call) {
  const Written to(call, kBackward["self"], kBackwardOperands, kBackward.out());
  if (to.out.device().is_cuda()) {
    write_whole_gradient(to);
  } else {
    to.write(ops::binary_cross_entropy_backward(to.operand(kBackward["grad_output"]), to.operand(kBackward["self"]),
                                                to.operand(kBackward["target"]), {}, kReduceNone),
             kBackward["weight"]);
  }
  if (call.integer(kBackward["reduction"]) == kReduceMean)
    call_op<"aten.div_.Scalar">(to.out, Scalar(call.meta(kBackward["self"]).numel()));
  call.returns(call[kBackward.out()]);
}

/// Returns the operand in the compute dtype, with self's sizes. The operand is broadcast after dims of size 1 are
/// squeezed.
Tensor fitted(const Tensor& t, const Tensor& self) {
  return ops::reshape(
      broadcast_view(call_op<"aten.squeeze.default">(wide_operand(t)), call_op<"aten.squeeze.default">(self).sizes()),
      self.sizes());
}

Tensor squeezed(const Tensor& t) { return call_op<"aten.squeeze.default">(t); }
/// Does the operand broadcast to self's sizes, if dims of size 1 are squeezed in both?
bool fits(const Tensor& operand, const Tensor& self) {
  return broadcasts_to(squeezed(operand).sizes(), squeezed(self).sizes());
}

void run_backward(KernelCall& call) {
  const Tensor self = call.tensor(kBackward["self"]), p = wide_operand(self);
  if (!fits(call.tensor(kBackward["target"]), self) || !fits(call.tensor(kBackward["grad_output"]), self)) {
    ops::copy_(call.outputs[0], call_op<"aten.binary_cross_entropy_backward.grad_input">(
                                    call[kBackward["grad_output"]], self, call[kBackward["target"]],
                                    call[kBackward["weight"]], call[kBackward["reduction"]], ops::empty_like(self)));
    return;
  }
  const Tensor grad = fitted(call.tensor(kBackward["grad_output"]), self);
  const Tensor slope = ops::div(ops::sub(p, fitted(call.tensor(kBackward["target"]), self)),
                                ops::clamp_min(ops::mul(ops::rsub(p, Scalar(1)), p), Scalar(1e-12)));
  Tensor result = ops::mul(grad, slope);
  if (call.has(kBackward["weight"])) result = ops::mul(result, call.tensor(kBackward["weight"]));
  if (call.integer(kBackward["reduction"]) == kReduceMean) result = ops::div(result, Scalar(self.numel().as_int()));
  ops::copy_(call.outputs[0], result);
}

std::optional<SymInt> flops(RuleCall& call, const RuleResult&) { return SymInt(8) * call.meta(kLoss["self"]).numel(); }
std::optional<SymInt> backward_flops(RuleCall& call, const RuleResult&) {
  return SymInt(8) * call.meta(kBackward["self"]).numel();
}

}  // namespace

void write_loss(KernelCall& call) {
  const Tensor self = call.tensor(kLoss["self"]), p = wide_operand(self);
  if (!fits(call.tensor(kLoss["target"]), self)) {
    ops::copy_(call.outputs[0],
               call_op<"aten.binary_cross_entropy.out">(self, call[kLoss["target"]], call[kLoss["weight"]],
                                                        call[kLoss["reduction"]], ops::empty_like(self)));
    return;
  }
  const Tensor t = fitted(call.tensor(kLoss["target"]), self);
  const Tensor yes = ops::clamp_min(ops::log(p), Scalar(-100)),
               no = ops::clamp_min(ops::log1p(ops::neg(p)), Scalar(-100));
  Tensor losses = ops::sub(ops::mul(ops::sub(t, Scalar(1)), no), ops::mul(t, yes));
  if (call.has(kLoss["weight"])) losses = ops::mul(losses, call.tensor(kLoss["weight"]));
  ops::copy_(call.outputs[0], reduced(losses, call.integer(kLoss["reduction"])));
}

void register_ops(Registry& r) {
  r.add(kLoss)
      .tag(Tag::FailsOnValues)
      .with_rule(rule)
      .cpu(run<HostDraw>)
      .dtypes(kFloats)
      .count_flops(flops)
      .sample("f32[2,3]{1,2}, f32[2,1,3], f32[3], 0", 0, 1)
      .refuses("C1", "f32[2,3], f32[4]")
      .refuses("C2", "f32[2,3], f64[2,3]")
      .refuses("C3", "f32[2,3], f32[2,3], f32[4,2,3]");
  r.add(kLossOut)
      .tag(Tag::FailsOnValues)
      .with_composite(loss_out)
      .dtypes(kFloats)
      .sample("f32[2,3], f32[2,3], out=f32[0]", 0, 1);
  r.add(kBackward)
      .with_rule(backward_rule)
      .every_device(run_backward)
      .dtypes(kFloats)
      .count_flops(backward_flops)
      .sample("f32[], f32[2,3], f32[2,3], f32[3]", 0, 1)
      .sample("f32[2,3], f32[2,3]{1,2}, f32[3], None, 0", 0, 1)
      .refuses("C1", "f32[2], f32[2,3], f32[2,3]")
      .refuses("C2", "f64[], f32[2,3], f32[2,3]")
      .refuses("C3", "f32[], f32[2,3], f32[2,3], c64[3]");
  r.add(kBackwardOut)
      .with_composite(gradient_out)
      .dtypes(kFloats)
      .sample("f32[], f32[2,3], f32[2,3], grad_input=f32[2,3]", 0, 1);
}

}  // namespace ersatz::op_binary_cross_entropy
