#include "kernels/pointwise/glu.h"

#include "kernels/pointwise/iterator_layout.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/slice.h"
#include "kernels/wide_operand.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_glu {
namespace {

/// The dim that is halved. [op.C1] [op.C2]
size_t halved_dim(const RuleCall& call, const TensorMeta& in, Position dim) {
  call.require(in.dim() > 0, "C1", "the input must have dims, it is {}", in);
  const size_t d = call.wrap_dim(call.integer(dim), in.dim());
  call.require(check_eq(floor_mod(in.sizes[d], 2), 0), "C2", "dim {} must be even, the input is {}", d, in);
  return d;
}

void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kGlu["self"]);
  const size_t d = halved_dim(call, in, kGlu["dim"]);
  TensorMeta half = in;
  half.sizes[d] = floor_div(in.sizes[d], 2);
  const TensorMeta* const operands[] = {&half, &half};
  TensorMeta& out = call.out.fresh(TensorMeta(in.dtype, half.sizes, call.device));
  iterator_layout(call, operands, in.dtype, out);
  call.require_dtype(in.dtype, kFloats);
}

void backward_rule(RuleCall& call) {
  const TensorMeta &grad = call.meta(kGluBackward["grad_output"]), &in = call.meta(kGluBackward["self"]);
  const size_t d = halved_dim(call, in, kGluBackward["dim"]);
  if (!kFloats.has(in.dtype)) call.refuse(ErrorFamily::Runtime, "dtype", "the input must be a float, it is {}", in);
  call.require(grad.dtype == in.dtype, "C3", "the gradient must have the input's dtype: they are {} and {}", grad, in);
  bool fits = grad.dim() <= in.dim();
  for (int64_t k = 1; fits && k <= grad.dim(); ++k) {
    const size_t at = size_t(in.dim() - k);
    const SymInt size = at == d ? floor_div(in.sizes[at], 2) : in.sizes[at], given = grad.sizes[size_t(grad.dim() - k)];
    fits = size_eq(given, 1) || check_eq(given, size);
  }
  call.require(fits, "C4", "the gradient must broadcast to half of dim {}: it is {}, the input is {}", d, grad, in);
  call.out.fresh(TensorMeta(in.dtype, in.sizes, call.device));
}

struct Halves {
  Tensor first, second;
  Halves(const Tensor& t, int64_t dim) {
    const SymInt size = t.sizes()[size_t(dim < 0 ? dim + t.dim() : dim)];
    first = ops::slice(t, dim, 0, floor_div(size, 2));
    second = ops::slice(t, dim, floor_div(size, 2), size);
  }
};

void run(KernelCall& call) {
  const Halves in(wide_operand(call.tensor(kGlu["self"])), call.integer(kGlu["dim"]));
  ops::copy_(call.outputs[0], ops::mul(in.first, ops::sigmoid(in.second)));
}

void run_backward(KernelCall& call) {
  const int64_t dim = call.integer(kGluBackward["dim"]);
  const Tensor grad = wide_operand(call.tensor(kGluBackward["grad_output"]));
  const Halves in(wide_operand(call.tensor(kGluBackward["self"])), dim), out(call.outputs[0], dim);
  const Tensor gate = ops::sigmoid(in.second), passed = ops::mul(grad, gate);
  ops::copy_(out.first, passed);
  ops::copy_(out.second, ops::mul(ops::mul(passed, in.first), ops::rsub(gate, Scalar(1))));
}

std::optional<SymInt> flops(RuleCall&, const RuleResult& result) { return SymInt(4) * result.outputs[0].meta.numel(); }

}  // namespace

void register_ops(Registry& r) {
  OpEntry& glu = r.add(kGlu)
                     .with_rule(rule)
                     .every_device(run)
                     .dtypes(kFloats)
                     .count_flops(flops)
                     .sample("f32[2,6]")
                     .sample("f32[4,3]{1,4}, 0")
                     .refuses("C1", "f32[]")
                     .refuses("C2", "f32[2,3]");
  r.add_out(glu, "out", WrittenForm{.cast = WrittenCast::Any});
  OpEntry& backward = r.add(kGluBackward)
                          .with_rule(backward_rule)
                          .every_device(run_backward)
                          .dtypes(kFloats)
                          .count_flops(flops)
                          .sample("f32[2,3], f32[2,6], 1")
                          .sample("f32[3], f32[4,3]{1,4}, 0")
                          .refuses("C1", "f32[], f32[], 0")
                          .refuses("C2", "f32[1], f32[3], 0")
                          .refuses("C3", "f64[2], f32[4], 0")
                          .refuses("C4", "f32[3], f32[4], 0");
  r.add_out(backward, "grad_input", WrittenForm{.may_overlap = true, .own_elements = true}, {"grad_input"});
}

}  // namespace ersatz::op_glu
