#include "kernels/loss/soft_margin_loss.h"

#include "kernels/creation/empty.h"
#include "kernels/loss/reduction.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/resize.h"
#include "kernels/shape/written_result.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_soft_margin_loss {
namespace {

Tensor nothing_like(const Tensor& t) {
  return ops::empty(DimVec{SymInt(0)}, {.dtype = t.dtype(), .device = t.device()});
}
Tensor mul_(const Tensor& self, const Tensor& other) { return call_op<"aten.mul_.Tensor">(self, other); }

/// Computes the loss of each element in the memory of `to`, and reduces it.
Tensor loss(const CompositeCall& call, const Tensor& to) {
  const Tensor self = call.tensor(kLoss["self"]), target = call.tensor(kLoss["target"]);
  const Tensor each = mul_(call_op<"aten.neg.out">(self, to), target);
  call_op<"aten.add_.Scalar">(call_op<"aten.exp_.default">(each), Scalar(1), Scalar(1));
  const int64_t reduction = call.integer(kLoss["reduction"]);
  call_op<"aten.log_.default">(each);
  if (reduction == kReduceNone || reduces(reduction)) return reduced(each, reduction);
  return ops::resize_(each, {});  // for other reductions, ATen returns the first element of the loss
}
void run(CompositeCall& call) { call.returns(loss(call, nothing_like(call.tensor(kLoss["self"])))); }
void run_out(CompositeCall& call) {
  const Tensor to = call.tensor(kLoss.out()), result = loss(call, to);
  if (!result.is(to)) ops::copy_(ops::resize_(to, result.sizes()), result);
  call.returns(call[kLoss.out()]);
}

/// Writes -norm * target * z / (1 + z) * grad to `to`, with z = exp(-target * self).
Tensor gradient(const CompositeCall& call, const Tensor& to) {
  const Tensor self = call.tensor(kBackward["self"]), target = call.tensor(kBackward["target"]);
  const bool mean = call.integer(kBackward["reduction"]) == kReduceMean;
  const Tensor z = ops::exp(ops::mul(ops::neg(target), self));
  call_op<"aten.mul.out">(target, z, to);
  const SymInt n = self.numel();
  if (mean) {
    call_op<"aten.mul_.Scalar">(to, Scalar(n.is_int() ? -1.0 / static_cast<double>(n.as_int()) : -1.0));
    if (!n.is_int()) call_op<"aten.div_.Scalar">(to, Scalar(n));
  } else {
    call_op<"aten.mul_.Scalar">(to, Scalar(-1.0));
  }
  call_op<"aten.add_.Scalar">(z, Scalar(1), Scalar(1));
  return mul_(call_op<"aten.div_.Tensor">(to, z), call.tensor(kBackward["grad_output"]));
}
void run_backward(CompositeCall& call) { call.returns(gradient(call, nothing_like(call.tensor(kBackward["self"])))); }
void run_backward_out(CompositeCall& call) {
  gradient(call, call.tensor(kBackward.out()));
  call.returns(call[kBackward.out()]);
}

Tensor with_logits(const CompositeCall& call) {
  const Tensor self = call.tensor(kWithLogits["self"]), target = call.tensor(kWithLogits["target"]);
  const Tensor logarithms = call_op<"aten.log_sigmoid.default">(self);
  if (call.has(kWithLogits["pos_weight"])) {
    const Tensor above = ops::sub(call.tensor(kWithLogits["pos_weight"]), Scalar(1));
    const Tensor weights = ops::mul(above, target);
    mul_(logarithms, call_op<"aten.add_.Scalar">(weights, Scalar(1), Scalar(1)));
  }
  const Tensor losses = mul_(ops::rsub(target, Scalar(1)), self);
  call_op<"aten.sub_.Tensor">(losses, logarithms, Scalar(1));
  if (call.has(kWithLogits["weight"])) mul_(losses, call.tensor(kWithLogits["weight"]));
  return reduced(losses, call.integer(kWithLogits["reduction"]));
}
void run_with_logits(CompositeCall& call) { call.returns(with_logits(call)); }
void run_with_logits_out(CompositeCall& call) { write_result(call, with_logits(call), kWithLogits.out()); }

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kLoss).with_composite(run).sample("f32[2,3], f32[2,3]").sample("f32[2,3]{1,2}, f32[3], 0");
  r.add_out_alike(op, "out").with_composite(run_out).sample("f32[2,3], f32[2,3], out=f32[]");
  OpEntry& backward = r.add(kBackward)
                          .with_composite(run_backward)
                          .sample("f32[], f32[2,3], f32[2,3], 1")
                          .sample("f32[2,3], f32[2,3], f32[2,3]{1,2}, 0");
  r.add_out_alike(backward, "grad_input", {"grad_input"})
      .with_composite(run_backward_out)
      .sample("f32[], f32[2,3], f32[2,3], 1, grad_input=f32[0]");
  OpEntry& logits = r.add(kWithLogits)
                        .with_composite(run_with_logits)
                        .sample("f32[2,3], f32[2,3]")
                        .sample("f32[2,3], f32[2,3]{1,2}, f32[3], f32[3], 0");
  r.add_out_alike(logits, "out").with_composite(run_with_logits_out).sample("f32[2,3], f32[2,3], out=f32[]");
}

}  // namespace ersatz::op_soft_margin_loss
