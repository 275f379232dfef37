#include "kernels/pointwise/prelu.h"

#include "kernels/pointwise/iterator_layout.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/pointwise/where.h"
#include "kernels/shape/reshape.h"
#include "kernels/wide_operand.h"
#include "runtime/op/composite.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_prelu {
namespace {

void prelu(CompositeCall& call) {
  const Tensor self = call.tensor(kPrelu["self"]);
  Tensor weight = call.tensor(kPrelu["weight"]);
  call.require(self.dtype() == weight.dtype(), "C2", "self and weight must have one dtype: they are {} and {}",
               self.meta(), weight.meta());
  if (size_ne(weight.numel(), 1)) {
    call.require(self.dim() > 0, "C3", "a 0-d input has one weight, not {}", weight.meta());
    const SymInt channels = self.dim() > 1 ? self.sizes()[1] : SymInt(1);
    call.require(check_eq(weight.numel(), channels), "C3",
                 "weight must have one element for each of {} channels: it is {}", channels, weight.meta());
  }
  call.require(weight.dim() <= 1, "C1", "weight must be 0-d or 1-d, it is {}", weight.meta());
  if (self.dim() != 1 || weight.dim() != 1) {
    DimVec sizes(size_t(self.dim()), SymInt(1));
    if (self.dim() > 1) sizes[1] = weight.numel();
    weight = ops::reshape(weight, sizes);
  }
  call.returns(ops::_prelu_kernel(self, weight));
}

template <bool kGradient>
void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kGradient ? kBackward["self"] : kKernel["self"]);
  InlineVec<const TensorMeta*, 3> operands;
  for (size_t i = 0; i < call.args.size(); ++i) {
    operands.push_back(&call.meta(i));
    call.require(call.meta(i).dtype == self.dtype, "C2", "{} must have the dtype of self: they are {} and {}",
                 call.op.schema.arguments[i].name, call.meta(i), self);
  }
  TensorMeta out(self.dtype, self.sizes, call.device);
  // The result has self's layout if it has self's sizes. A gradient has it only if, besides, no two elements of self
  // share memory.
  iterator_layout(call, operands, std::nullopt, out);
  if (out.dim() == self.dim() && sym_eq(out.sizes, self.sizes) &&
      !(kGradient && internal_overlap(self) == Overlap::Yes))
    out.strides = preserved_strides(self.sizes, self.strides);
  call.require_dtype(self.dtype, kFloats);
  for (int i = 0; i < (kGradient ? 2 : 1); ++i) call.out.fresh(TensorMeta(out));
}

void run(KernelCall& call) {
  const Tensor x = wide_operand(call.tensor(kKernel["self"])), w = wide_operand(call.tensor(kKernel["weight"]));
  ops::copy_(call.outputs[0], ops::where(ops::gt(x, Scalar(0)), x, ops::mul(w, x)));
}

void run_backward(KernelCall& call) {
  const Tensor g = wide_operand(call.tensor(kBackward["grad_output"])),
               x = wide_operand(call.tensor(kBackward["self"])), w = wide_operand(call.tensor(kBackward["weight"]));
  const Tensor passes = ops::gt(x, Scalar(0));
  ops::copy_(call.outputs[0], ops::where(passes, g, ops::mul(w, g)));
  ops::copy_(call.outputs[1], ops::where(passes, ops::mul(g, Scalar(0)), ops::mul(x, g)));
}

std::optional<SymInt> flops(RuleCall&, const RuleResult& result) { return SymInt(2) * result.outputs[0].meta.numel(); }

}  // namespace

void register_ops(Registry& r) {
  r.add(kPrelu)
      .with_composite(prelu)
      .dtypes(kFloats)
      .sample("f32[2,3,4], f32[3]")
      .sample("f32[4], f32[1]")
      .refuses("C1", "f32[2,3], f32[3,1]")
      .refuses("C2", "f32[2,3], f64[3]")
      .refuses("C3", "f32[2,3], f32[2]");
  r.add(kKernel)
      .with_rule(rule<false>)
      .every_device(run)
      .dtypes(kFloats)
      .count_flops(flops)
      .sample("f32[2,3], f32[3]")
      .sample("f32[2,3]{1,2}, f32[1,3]")
      .refuses("C1", "f32[2], f32[3]")
      .refuses("C2", "f32[2], f64[2]");
  r.add(kBackward)
      .with_rule(rule<true>)
      .every_device(run_backward)
      .dtypes(kFloats)
      .count_flops(flops)
      .sample("f32[2,3], f32[2,3]{1,2}, f32[3]")
      .refuses("C1", "f32[2], f32[2], f32[3]")
      .refuses("C2", "f32[2], f32[2], f64[2]");
}

}  // namespace ersatz::op_prelu
