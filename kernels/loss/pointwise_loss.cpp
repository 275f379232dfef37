#include "kernels/loss/pointwise_loss.h"

#include "kernels/loss/reduction.h"
#include "kernels/pointwise/elementwise.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/resize.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/type_promotion.h"
#include "runtime/op/written_memory.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_pointwise_loss {
namespace {

using pointwise::Row;

struct Loss {
  const Schema &loss, &gradient;
  OpName name;  ///< name of the loss's operator
  Row row, gradient_row;
  DTypeSet gradient_dtypes;
  double factor;  ///< factor of the gradient
  bool any_reduction = false, of_self = false;
};
constexpr Loss kAll[] = {
    {kMse, kMseBackward, "aten.mse_loss.default", Row::mse_loss, Row::mse_loss_backward, kReals, 2},
    {kSmoothL1, kSmoothL1Backward, "aten.smooth_l1_loss.default", Row::smooth_l1_loss, Row::smooth_l1_loss_backward,
     kReals, 1},
    {kHuber, kHuberBackward, "aten.huber_loss.default", Row::huber_loss, Row::huber_loss_backward, kFloats, 1, true,
     true},
};
constexpr size_t kParameter = 3;  // position of beta or delta in a loss op; in a gradient op it is 4
constexpr uint8_t kOperands[] = {0, 1}, kGradientOperands[] = {1, 2, 0};

/// Checks [op.C4]: the common dtype can be cast to self's dtype.
void require_castable(const RuleCall& call, DType common, const TensorMeta& self) {
  call.require(can_cast(common, self.dtype), "C4",
               "the result has the dtype of self, to which {} is not cast: it is {}", name(common), self);
}

/// Checks the reduction and beta or delta. RETURNS: the dtype in which the loss is computed.
template <size_t i>
DType checked_common(const RuleCall& call) {
  constexpr const Loss& loss = kAll[i];
  const int64_t reduction = call.integer(kLosses["reduction"]);
  call.require(loss.any_reduction || reduction == kReduceNone || reduces(reduction), "C2",
               "reduction must be 0, 1 or 2, it is {}", reduction);
  if (i > 0) {
    const double p = call.real(kParameter);
    call.require(i == 1 ? p >= 0 : p > 0, "C3", "{} must be {}, it is {}", call.op.schema.arguments[kParameter].name,
                 i == 1 ? "at least 0" : "positive", p);
  }
  return pointwise::common_dtype(call.context, call.args, kOperands);
}

template <size_t i>
void rule(RuleCall& call) {
  constexpr const Loss& loss = kAll[i];
  const TensorMeta& self = call.meta(kLosses["self"]);
  const DType common = checked_common<i>(call);
  pointwise::answer_elementwise(call, kOperands, loss.of_self ? self.dtype : common, common);
  if (loss.of_self) require_castable(call, common, self);
  call.require_dtype(common, kFloats);
  TensorMeta& out = call.out.outputs[0].meta;
  if (loss.of_self && same_sizes(out.sizes, self.sizes)) out.strides = preserved_strides(self.sizes, self.strides);
  if (reduces(call.integer(kLosses["reduction"]))) out = TensorMeta(out.dtype, std::span<const SymInt>(), out.device);
}

/// ATen writes the loss of each element to `out` and reduces it in place. The loss is cast to the dtype of `out`
/// instead of self's dtype.
template <size_t i>
void out_rule(RuleCall& call) {
  const size_t at = call.args.size() - 1;
  RuleResult elements;
  RuleCall inner = call.with(call.args.first(at), elements);
  const DType common = checked_common<i>(inner);
  pointwise::answer_elementwise(inner, kOperands, common, common);
  answer_out(call, elements.outputs[0].meta, at, call.op.form);
  // also checks the memory of `out` before the resize
  require_no_overlap(call, call.tensor(at), call.args.first(at), call.op.form);
  call.require_dtype(common, kFloats);
  const int64_t reduction = call.integer(kLosses["reduction"]);
  if (kAll[i].any_reduction ? reduction == kReduceNone : !reduces(reduction)) return;
  TensorMeta reduced = call.meta(at);
  reduced.sizes = reduced.strides = DimVec();
  call.out.outputs.clear();
  call.meta(at).dim() == 0 ? call.out.same(call.tensor(at)) : call.out.same(call.tensor(at), std::move(reduced));
}

template <size_t i>
void run(KernelCall& call) {
  constexpr const Loss& loss = kAll[i];
  const int64_t reduction = call.integer(kLosses["reduction"]);
  if (reduces(reduction)) {
    const Tensor self = call.tensor(kLosses["self"]), target = call.tensor(kLosses["target"]);
    const Tensor each = i == 0 ? call_op<loss.name>(self, target, kReduceNone)
                               : call_op<loss.name>(self, target, kReduceNone, call.real(kParameter));
    ops::copy_(call.outputs[0], reduced(each, reduction));
    return;
  }
  pointwise::RowParams params;
  if (i > 0) params.re[0] = call.real(kParameter);
  const DType common = pointwise::common_dtype(call.context, call.args, kOperands);
  pointwise::run_row(call, loss.row, kOperands, loss.of_self ? call.outputs[0].dtype() : common, params);
}

template <size_t i>
void gradient_rule(RuleCall& call) {
  constexpr const Loss& loss = kAll[i];
  const TensorMeta& self = call.meta(kGradients["self"]);
  const DType common = pointwise::common_dtype(call.context, call.args, kGradientOperands);
  pointwise::answer_elementwise(call, kGradientOperands, self.dtype, common);
  for (const uint8_t at : kGradientOperands) {
    call.require(!loss.of_self || call.meta(at).dtype == self.dtype, "C4", "{} must have the dtype of self: {} and {}",
                 call.op.schema.arguments[at].name, call.meta(at), self);
  }
  call.require_dtype(common, loss.gradient_dtypes);
  require_castable(call, common, self);
  // ATen allocates the loss with self's sizes and layout. If the operands broadcast to other sizes, it resizes the
  // loss.
  TensorMeta& out = call.out.outputs[0].meta;
  if (same_sizes(out.sizes, self.sizes)) out.strides = contiguous_strides(out.sizes);
}

/// Writes the huber loss to `out`, even if the loss cannot be cast to self's dtype. A reduction other than none returns
/// one number.
void run_huber_out(KernelCall& call) {
  const Tensor self = call.tensor(kHuber["self"]);
  const DType common = pointwise::common_dtype(call.context, call.args, kOperands);
  const int64_t reduction = call.integer(kHuber["reduction"]);
  const bool castable = can_cast(common, self.dtype());
  if (castable && (reduction == kReduceNone || reduces(reduction))) return derived_kernel(call);
  const Tensor loss = call_op<"aten.huber_loss.default">(
      castable ? self : ops::to(self, common), call.tensor(kHuber["target"]), reduction, call.real(kHuber["delta"]));
  ops::copy_(call.outputs[0], ops::resize_(loss, call.outputs[0].sizes()));
}

/// Returns the common dtype if it cannot be cast to self's dtype, else nullopt. In the first case, ATen converts self,
/// and checks only the dtype of the written tensor. For huber_loss, all dtypes are equal, so the result is nullopt.
template <class Call>
std::optional<DType> converted_self(const Call& call, const TensorMeta& self) {
  const DType common = pointwise::common_dtype(call.context, call.args, kGradientOperands);
  return can_cast(common, self.dtype) ? std::nullopt : std::optional(common);
}

/// A written argument that ATen resizes gets the layout of the operands. A newly allocated gradient does not.
void gradient_out_rule(RuleCall& call) {
  const TensorImpl* self = call.tensor(kGradients["self"]);
  if (const std::optional<DType> common = converted_self(call, self->meta)) {
    TensorMeta meta = self->meta;
    meta.dtype = *common;
    std::vector<Value> args(call.args.begin(), call.args.end());
    args[kGradients["self"]] = Tensor(std::move(meta), self->storage);
    RuleCall converted{call.op, args, call.context, call.device, call.out};
    derived_out_rule(converted);
  } else {
    derived_out_rule(call);
  }
  OutputSpec& out = call.out.outputs[0];
  if (!out.metadata_changed) return;
  RuleResult laid_out;
  RuleCall inner = call.with(call.args, laid_out);
  pointwise::answer_elementwise(inner, kGradientOperands, out.meta.dtype, out.meta.dtype);
  out.meta.strides = laid_out.outputs[0].meta.strides;
}

template <size_t i>
void run_gradient(KernelCall& call) {
  constexpr const Loss& loss = kAll[i];
  const Tensor self = call.tensor(kGradients["self"]);
  double factor = loss.factor;
  if (call.integer(kGradients["reduction"]) == kReduceMean) factor /= static_cast<double>(self.numel().as_int());
  const bool whole = is_integral(self.dtype());
  pointwise::RowParams params;
  pointwise::set_param(params, 0, whole ? Scalar(static_cast<int64_t>(factor)) : Scalar(factor));
  if (i > 0) {
    const double p = call.real(kParameter + 1);
    pointwise::set_param(params, 1, whole ? Scalar(static_cast<int64_t>(p)) : Scalar(p));
  }
  pointwise::run_row(call, loss.gradient_row, kGradientOperands, self.dtype(), params);
}

void run_gradient_out(KernelCall& call) {
  const Tensor self = call.tensor(kGradients["self"]);
  const std::optional<DType> common = converted_self(call, self.meta());
  if (!common) return derived_kernel(call);
  const OpEntry& functional = *call.op.functional;
  std::vector<Value> args(call.args.begin(), call.args.begin() + std::ssize(functional.schema.arguments));
  args[kGradients["self"]] = ops::to(self, *common);
  ops::copy_(call.outputs[0], dispatch_for_tensor(functional, args));
}

std::optional<SymInt> flops(RuleCall& call, const RuleResult&) {
  return SymInt(4) * call.meta(kLosses["self"]).numel();
}
std::optional<SymInt> gradient_flops(RuleCall&, const RuleResult& result) {
  return SymInt(4) * result.outputs[0].meta.numel();
}

template <size_t i>
void add(Registry& r) {
  constexpr const Loss& loss = kAll[i];
  OpEntry& op = r.add(loss.loss)
                    .with_rule(rule<i>)
                    .every_device(run<i>)
                    .dtypes(kFloats)
                    .count_flops(flops)
                    .sample("f32[2,3], f32[2,3]{1,2}")
                    .sample("f32[2,3], f32[3], 0")
                    .refuses("C1", "f32[2,3], f32[2]");
  if (i < 2) op.tag(Tag::Pointwise).refuses("C2", "f32[2,3], f32[2,3], 3");
  op.devices(std::vector<DeviceRule>(op.schema.arguments.size(), DeviceRule::CpuScalarOk));
  OpEntry& out = r.add_out(op, "out", WrittenForm{.cast = WrittenCast::Any}).with_rule(out_rule<i>);
  if (loss.of_self) out.every_device(run_huber_out);
  const char* parameter = i == 0 ? "" : ", 0.5";
  OpEntry& gradient = r.add(loss.gradient)
                          .with_rule(gradient_rule<i>)
                          .every_device(run_gradient<i>)
                          .dtypes(loss.gradient_dtypes)
                          .count_flops(gradient_flops)
                          .sample(std::string("f32[], f32[2,3], f32[2,3]{1,2}, 1") + parameter)
                          .sample(std::string("f32[2,3], f32[2,3], f32[3], 0") + parameter);
  gradient.devices(std::vector<DeviceRule>(gradient.schema.arguments.size(), DeviceRule::CpuScalarOk));
  r.add_out(gradient, i == 2 ? "out" : "grad_input", WrittenForm{.cast = i == 2 ? WrittenCast::Own : WrittenCast::Any},
            {"grad_input"})
      .with_rule(gradient_out_rule)
      .every_device(run_gradient_out);
}

}  // namespace

void register_ops(Registry& r) {
  add<0>(r);
  add<1>(r);
  add<2>(r);
  r.find_mutable("aten.smooth_l1_loss.default")->refuses("C3", "f32[2], f32[2], 1, -1.0");
  r.find_mutable("aten.huber_loss.default")->refuses("C3", "f32[2], f32[2], 1, 0.0");
  r.find_mutable("aten.mse_loss_backward.default")->refuses("C4", "f32[], i64[2], i64[2], 1");
  r.find_mutable("aten.huber_loss_backward.default")->refuses("C4", "f32[], f32[2], i64[2], 1, 1.0");
}

}  // namespace ersatz::op_pointwise_loss
