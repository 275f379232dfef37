#include "kernels/pointwise/log_sigmoid.h"

#include "kernels/pointwise/clamp.h"
#include "kernels/pointwise/iterator_layout.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/pointwise/where.h"
#include "kernels/shape/broadcast.h"
#include "kernels/wide_operand.h"
#include "runtime/op/derived.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_log_sigmoid {
namespace {

void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kForward["self"]);
  call.require_dtype_first(self.dtype, kFloats);
  TensorMeta& out = call.out.fresh(TensorMeta(self.dtype, self.sizes, call.device));
  if (call.device.is_cuda()) out.strides = preserved_strides(self.sizes, self.strides);
  const DimVec none{SymInt(0)};
  call.out.fresh(TensorMeta(self.dtype, call.device.is_cuda() ? none : self.sizes, call.device));
}

/// On the CPU, PyTorch makes the `buffer` argument row-major even if its sizes fit. A buffer whose elements share
/// memory is refused, because PyTorch would write beyond the buffer's memory.
void out_rule(RuleCall& call) {
  const TensorMeta &self = call.meta(kForward["self"]), &given = call.meta(kForward.out(1));
  const bool within = !call.device.is_cpu() || internal_overlap(given) != Overlap::Yes;
  call.require(within || given.dtype != self.dtype || !same_sizes(given.sizes, self.sizes), "overlap.or_any",
               "elements of buffer share memory, clone it first: it is {}", given);
  derived_out_rule(call, WrittenForm{.may_overlap = call.device.is_cpu(), .own_elements = true});
  OutputSpec& buffer = call.out.outputs[1];
  if (!call.device.is_cpu() || buffer.metadata_changed || is_contiguous(buffer.source->meta)) return;
  TensorMeta laid_out = buffer.source->meta;
  laid_out.strides = contiguous_strides(laid_out.sizes);
  TensorImpl* const written = buffer.source;
  call.out.outputs.pop_back();
  call.out.same(written, std::move(laid_out));
}

/// Returns the metadata of the gradient as at::TensorIterator allocates it.
TensorMeta iterated_gradient(const RuleCall& call) {
  const TensorMeta &grad = call.meta(kBackward["grad_output"]), &self = call.meta(kBackward["self"]),
                   &buffer = call.meta(kBackward["buffer"]);
  TensorMeta out(self.dtype, self.sizes, call.device);
  const TensorMeta* const operands[] = {&self, &grad, &buffer};
  iterator_layout(call, std::span(operands).first(call.device.is_cuda() ? 2 : 3), std::nullopt, out);
  return out;
}

void backward_rule(RuleCall& call) {
  const TensorMeta &grad = call.meta(kBackward["grad_output"]), &self = call.meta(kBackward["self"]),
                   &buffer = call.meta(kBackward["buffer"]);
  call.require(grad.dtype == self.dtype && (call.device.is_cuda() || buffer.dtype == self.dtype), "C2",
               "all must have one dtype: they are {}, {} and {}", grad, self, buffer);
  TensorMeta out = iterated_gradient(call);
  if (out.dim() == grad.dim() && sym_eq(out.sizes, grad.sizes))
    out.strides = preserved_strides(grad.sizes, grad.strides);
  call.require_dtype(self.dtype, kFloats);
  call.out.fresh(std::move(out));
}
/// The rule of `grad_input`. A resized `grad_input` gets TensorIterator's strides, which can differ from those of a new
/// result.
void backward_out_rule(RuleCall& call) {
  derived_out_rule(call);
  OutputSpec& out = call.out.outputs[0];
  if (out.metadata_changed) out.meta.strides = iterated_gradient(call).strides;
}

Tensor decay(const Tensor& x) { return ops::exp(ops::neg(ops::abs(x))); }

void run(KernelCall& call) {
  const Tensor x = wide_operand(call.tensor(kForward["self"])), buffer = decay(x);
  ops::copy_(call.outputs[0], ops::sub(ops::clamp_max(x, Scalar(0)), ops::log1p(buffer)));
  if (!x.device().is_cuda()) ops::copy_(call.outputs[1], buffer);
}

void run_backward(KernelCall& call) {
  const Tensor x = wide_operand(call.tensor(kBackward["self"]));
  const Tensor kept = call.tensor(kBackward["buffer"]);
  const bool is_kept = !x.device().is_cuda() || broadcasts_to(kept.sizes(), call.outputs[0].sizes());
  const Tensor buffer = is_kept ? wide_operand(kept) : decay(x);
  // The buffer is exp(-|x|), so the sigmoid of -|x| is buffer / (1 + buffer).
  const Tensor share = ops::div(buffer, ops::add(buffer, Scalar(1)));
  const Tensor slope = ops::where(ops::lt(x, Scalar(0)), ops::rsub(share, Scalar(1)), share);
  ops::copy_(call.outputs[0], ops::mul(wide_operand(call.tensor(kBackward["grad_output"])), slope));
}

std::optional<SymInt> flops(RuleCall&, const RuleResult& result) { return SymInt(8) * result.outputs[0].meta.numel(); }

}  // namespace

void register_ops(Registry& r) {
  OpEntry& forward = r.add(kForward)
                         .tag(kSavedByDevice)
                         .with_rule(rule)
                         .every_device(run)
                         .dtypes(kFloats)
                         .count_flops(flops)
                         .sample("f32[2,3]")
                         .sample("f64[2,3]{1,2}");
  OpEntry& written = r.add_out(forward, "output", WrittenForm{}, {"output", "buffer"}).with_rule(out_rule);
  for (auto& result : written.schema.returns) result.name.clear();  // ATen's schema has no names for the results
  OpEntry& backward = r.add(kBackward)
                          .with_rule(backward_rule)
                          .every_device(run_backward)
                          .dtypes(kFloats)
                          .count_flops(flops)
                          .sample("f32[2,3]{1,2}, f32[2,3], f32[2,3]", 0, 1)
                          .refuses("C1", "f32[2], f32[3], f32[3]")
                          .refuses("C2", "f32[2], f64[2], f64[2]");
  r.add_out(backward, "grad_input", WrittenForm{}, {"grad_input"}).with_rule(backward_out_rule);
}

}  // namespace ersatz::op_log_sigmoid
