#include "kernels/loss/ctc_loss.h"

#include "kernels/creation/full.h"
#include "kernels/indexing/item.h"
#include "kernels/loss/reduction.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/stack.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_ctc_loss {

Kernel run_cpu, run_backward_cpu;

namespace {

constexpr DTypeSet kTaken{DType::F32, DType::F64};

/// Checks the arguments. `first` is the position of log_probs; targets, input lengths and target lengths follow it.
/// RETURNS: the sizes of log_alpha.
DimVec check(const RuleCall& call, size_t first, Position blank_at) {
  const TensorMeta &probs = call.meta(first), &targets = call.meta(first + 1);
  const std::span<const SymInt> inputs = call.ints(first + 2), lengths = call.ints(first + 3);
  call.require_dtype(probs.dtype, kTaken);
  call.require(probs.dim() == 3 && !size_eq(probs.numel(), 0) && (targets.dim() == 1 || targets.dim() == 2), "C1",
               "expects log_probs [time, batch, classes] and targets of one or two dims: they are {} and {}", probs,
               targets);
  call.require(targets.dtype == DType::I64 || targets.dtype == DType::I32, "C2", "targets must be i32 or i64: it is {}",
               targets);
  const int64_t blank = call.integer(blank_at);
  call.require(blank >= 0 && check_lt(SymInt(blank), probs.sizes[2]), "C3", "blank must be one of {} classes: it is {}",
               probs.sizes[2], blank);
  const SymInt batch = probs.sizes[1];
  call.require(check_eq(SymInt(static_cast<int64_t>(inputs.size())), batch) && inputs.size() == lengths.size(), "C4",
               "each of {} items must have an input and a target length: they are {} and {}", batch, inputs, lengths);
  SymInt total = 0, longest = 0;
  for (size_t i = 0; i < lengths.size(); ++i) {
    call.require(check_ge(lengths[i], 0) && check_ge(inputs[i], 0) && check_le(inputs[i], probs.sizes[0]), "C4",
                 "lengths must not be negative, input lengths at most {}: those of item {} are {} and {}",
                 probs.sizes[0], i, inputs[i], lengths[i]);
    total += lengths[i];
    longest = sym_max(longest, lengths[i]);
  }
  const bool fits = targets.dim() == 1 ? check_eq(targets.sizes[0], total)
                                       : check_eq(targets.sizes[0], batch) && check_le(longest, targets.sizes[1]);
  call.require(fits, "C5", "targets must have room for {} items of lengths {}: it is {}", batch, lengths, targets);
  return DimVec{batch, probs.sizes[0], 2 * longest + 1};
}

void rule(RuleCall& call) {
  const TensorMeta& probs = call.meta(kForward["log_probs"]);
  const DimVec alpha = check(call, kForward["log_probs"], kForward["blank"]);
  call.out.fresh(TensorMeta(probs.dtype, DimVec{alpha[0]}, call.device));
  call.out.fresh(TensorMeta(probs.dtype, alpha, call.device));
}
void backward_rule(RuleCall& call) {
  const TensorMeta& probs = call.meta(kBackward["log_probs"]);
  const DimVec alpha = check(call, kBackward["log_probs"], kBackward["blank"]);
  for (const Position i : {kBackward["grad"], kBackward["neg_log_likelihood"], kBackward["log_alpha"]}) {
    const TensorMeta& t = call.meta(i);
    const bool is_alpha = i == kBackward["log_alpha"];
    call.require(t.dtype == probs.dtype && t.dim() == (is_alpha ? 3 : 1) && check_eq(t.sizes[0], alpha[0]) &&
                     (!is_alpha || check_eq(t.sizes, alpha)),
                 "C6", "{} must have dtype {} and fit log_alpha's sizes {}: it is {}", call.op.schema.arguments[i].name,
                 name(probs.dtype), alpha, t);
  }
  call.out.fresh(TensorMeta(probs.dtype, probs.sizes, call.device));
}

/// Returns the elements of the tensor of lengths at argument `at`.
DimVec read_lengths(const CompositeCall& call, Position at) {
  const Tensor t = call.tensor(at);
  call.require(is_integral(t.dtype()) && t.dtype() != DType::Bool, "C7", "{} must be integers: they are {}",
               call.op.schema.arguments[at].name, t.meta());
  const Tensor flat = ops::reshape(t, DimVec{SymInt(-1)});
  DimVec result;
  for (int64_t i = 0; i < flat.sizes()[0].guard_int(); ++i)
    result.push_back(ops::item(call_op<"aten.select.int">(flat, int64_t(0), SymInt(i))).to_sym_int());
  return result;
}
void forward_tensor(CompositeCall& call) {
  const DimVec inputs = read_lengths(call, kForwardTensor["input_lengths"]),
               lengths = read_lengths(call, kForwardTensor["target_lengths"]);
  for (Value& v : call_op_all<"aten._ctc_loss.default">(
           call[kForwardTensor["log_probs"]], call[kForwardTensor["targets"]], inputs, lengths,
           call[kForwardTensor["blank"]], call[kForwardTensor["zero_infinity"]]))
    call.returns(std::move(v));
}
void forward_tensor_out(CompositeCall& call) {
  const DimVec inputs = read_lengths(call, kForwardTensor["input_lengths"]),
               lengths = read_lengths(call, kForwardTensor["target_lengths"]);
  const Position out = kForwardTensor.out();
  call_op_all<"aten._ctc_loss.out">(call[kForwardTensor["log_probs"]], call[kForwardTensor["targets"]], inputs, lengths,
                                    call[kForwardTensor["blank"]], call[kForwardTensor["zero_infinity"]], call[out],
                                    call[out + 1]);
  call.returns(call[out]);
  call.returns(call[out + 1]);
}
void backward_tensor(CompositeCall& call) {
  const auto& k = kBackwardTensor;
  const DimVec inputs = read_lengths(call, k["input_lengths"]), lengths = read_lengths(call, k["target_lengths"]);
  call.returns(call_op<"aten._ctc_loss_backward.default">(
      call[k["grad"]], call[k["log_probs"]], call[k["targets"]], inputs, lengths, call[k["neg_log_likelihood"]],
      call[k["log_alpha"]], call[k["blank"]], call[k["zero_infinity"]]));
}

Tensor loss(const CompositeCall& call, std::span<const SymInt> inputs, std::span<const SymInt> lengths) {
  static constexpr Schemas kArgs{kLoss, kLossTensor};
  Tensor probs = call.tensor(kArgs["log_probs"]), targets = call.tensor(kArgs["targets"]);
  const bool batched = probs.dim() == 3;
  if (!batched) {
    probs = call_op<"aten.unsqueeze.default">(probs, int64_t(1));
    targets = call_op<"aten.unsqueeze.default">(targets, int64_t(0));
  }
  const bool zero_infinity = call.boolean(kArgs["zero_infinity"]);
  Tensor losses = call_op_all<"aten._ctc_loss.default">(probs, ops::to(targets, DType::I64), inputs, lengths,
                                                        call[kArgs["blank"]], zero_infinity)[0]
                      .take_tensor();
  const FactoryOptions alike{.dtype = losses.dtype(), .device = losses.device()};
  if (zero_infinity) {
    const Tensor infinite = call_op<"aten.eq.Scalar">(losses, Scalar(std::numeric_limits<double>::infinity()));
    losses = call_op<"aten.where.self">(infinite, ops::full(DimVec(), Scalar(0.0), alike), losses);
  }
  const int64_t reduction = call.integer(kArgs["reduction"]);
  if (reduction == kReduceMean) {
    std::vector<Tensor> least_one;
    for (const SymInt n : lengths) least_one.push_back(ops::full(DimVec(), Scalar(sym_max(n, 1)), alike));
    losses = ops::div(losses, ops::stack(least_one, 0));
  }
  const Tensor result = reduced(losses, reduction);
  return batched || reduces(reduction) ? result : call_op<"aten.squeeze.dim">(result, int64_t(0));
}
void loss_of_lists(CompositeCall& call) {
  call.returns(loss(call, call.ints(kLoss["input_lengths"]), call.ints(kLoss["target_lengths"])));
}
void loss_of_tensors(CompositeCall& call) {
  const DimVec inputs = read_lengths(call, kLossTensor["input_lengths"]),
               lengths = read_lengths(call, kLossTensor["target_lengths"]);
  call.returns(loss(call, inputs, lengths));
}

std::optional<SymInt> flops(RuleCall&, const RuleResult& result) {
  return SymInt(8) * result.outputs.back().meta.numel();
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& forward = r.add(kForward)
                         .tag(Tag::FailsOnValues)
                         .with_rule(rule)
                         .cpu(run_cpu)
                         .dtypes(kTaken)
                         .count_flops(flops)
                         .sample("f32[4,2,3], i64[2,2], [4,3], [2,1]", 0, 2)
                         .sample("f32[4,2,3], i64[3], [4,3], [2,1]", 0, 2)
                         .refuses("C1", "f32[4,3], i64[2,2], [4], [2]")
                         .refuses("C2", "f32[4,2,3], f32[2,2], [4,3], [2,1]")
                         .refuses("C3", "f32[4,2,3], i64[2,2], [4,3], [2,1], 3")
                         .refuses("C4", "f32[4,2,3], i64[2,2], [5,3], [2,1]")
                         .refuses("C5", "f32[4,2,3], i64[2,2], [4,3], [3,1]");
  r.add_out(forward, "out", kGeneratedForm, {"out0", "out1"});
  r.add(kBackward)
      .tag(Tag::FailsOnValues)
      .with_rule(backward_rule)
      .cpu(run_backward_cpu)
      .dtypes(kTaken)
      .count_flops(flops)
      .sample("f32[2], f32[4,2,3], i64[2,2], [4,3], [2,1], f32[2], f32[2,4,5], 0", 0, 2)
      .refuses("C6", "f32[2], f32[4,2,3], i64[2,2], [4,3], [2,1], f32[2], f32[2,4,4], 0");
  OpEntry& of_tensors = r.add(kForwardTensor)
                            .tag(Tag::DataDependent)
                            .tag(Tag::FailsOnValues)
                            .with_composite(forward_tensor)
                            .sample("f32[2,2,3], i64[2,2], i64[2], i64[2]", 1, 2)
                            .refuses("C7", "f32[2,2,3], i64[2,2], f32[2], i64[2]");
  r.add_out_alike(of_tensors, "Tensor_out", {"out0", "out1"})
      .with_composite(forward_tensor_out)
      .sample("f32[2,2,3], i64[2,2], i64[2], i64[2], out0=f32[0], out1=f32[0]", 1, 2);
  r.add(kBackwardTensor)
      .tag(Tag::DataDependent)
      .tag(Tag::FailsOnValues)
      .with_composite(backward_tensor)
      .sample("f32[2], f32[2,2,3], i64[2,2], i64[2], i64[2], f32[2], f32[2,2,3], 0", 1, 1)
      .refuses("C7", "f32[2], f32[4,2,3], i64[2,2], f32[2], i64[2], f32[2], f32[2,4,5], 0");
  r.add(kLoss).tag(Tag::FailsOnValues).with_composite(loss_of_lists).sample("f32[4,2,3], i64[2,2], [4,3], [2,1]", 0, 2);
  r.add(kLossTensor)
      .tag(Tag::DataDependent)
      .tag(Tag::FailsOnValues)
      .with_composite(loss_of_tensors)
      .sample("f32[2,2,3], i64[2,2], i64[2], i64[2]", 1, 2)
      .refuses("C7", "f32[2,2,3], i64[2,2], f32[2], i64[2]");
}

}  // namespace ersatz::op_ctc_loss
