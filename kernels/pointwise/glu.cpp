#include "kernels/pointwise/glu.h"

#include "kernels/pointwise/arithmetic.h"
#include "kernels/pointwise/iterator_layout.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/broadcast.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/functional_forms.h"
#include "kernels/shape/slice.h"
#include "kernels/wide_operand.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/written_memory.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_glu {
namespace {

/// Checks C1 and C2 of glu or glu_backward. Returns the wrapped `dim`.
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

/// PyTorch's kernel reads both halves of self as two inputs, so `out` may be exactly the memory of one half.
void out_rule(RuleCall& call) {
  const TensorImpl *self = call.tensor(kGlu["self"]), *out = call.tensor(call.args.size() - 1);
  const WrittenForm form{.cast = WrittenCast::Any, .may_overlap = true, .own_elements = true};
  halved_dim(call, self->meta, kGlu["dim"]);
  require_no_overlap(call, out, {}, form);  // PyTorch checks the overlap before it resizes `out`
  derived_out_rule(call, form);
  if (self->storage != out->storage) return;
  const size_t d = call.wrap_dim(call.integer(kGlu["dim"]), self->meta.dim());
  TensorMeta half = self->meta;
  half.sizes[d] = floor_div(half.sizes[d], 2);
  for (int second = 0; second < 2; ++second) {
    call.require(shared_memory(half, out->meta, true) != SharedMemory::Partial, "overlap",
                 "some elements of a half {} and the written-to tensor {} refer to a single memory location", half,
                 out->meta);
    half.offset += half.sizes[d] * half.strides[d];
  }
}

void backward_rule(RuleCall& call) {
  const TensorMeta &grad = call.meta(kGluBackward["grad_output"]), &in = call.meta(kGluBackward["self"]);
  const size_t d = halved_dim(call, in, kGluBackward["dim"]);
  if (!kFloats.has(in.dtype)) {
    // PyTorch first computes a sigmoid, which accepts integers but not f8 and other limited dtypes.
    if (!is_integral(in.dtype) && (kLimitedDTypes.has(in.dtype) || grad.dtype == in.dtype))
      call.require_dtype_first(in.dtype, kFloats);
    call.refuse(ErrorFamily::Runtime, "dtype", "the input must be a float, it is {}", in);
  }
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

/// Returns the metadata of elements [start, start + length) of `t` in dim `dim`. Checks C2 of the op.
TensorMeta half_of(const RuleCall& call, TensorMeta t, int64_t dim, SymInt start, SymInt length) {
  dim = call.wrap_dim(dim, t.dim());
  call.require(check_le(start + length, t.sizes[size_t(dim)]), "C2",
               "dim {} must hold {} elements from {} on: it is {}", dim, length, start, t);
  t.offset += t.strides[size_t(dim)] * start;
  t.sizes[size_t(dim)] = length;
  return t;
}

void jvp_rule(RuleCall& call) {
  const TensorMeta &glu = call.meta(kGluJvp["glu"]), &x = call.meta(kGluJvp["x"]), &dx = call.meta(kGluJvp["dx"]);
  call.require_index(glu.dim() > 0, "dim", "glu must have dims, it is {}", glu);
  const int64_t dim = call.wrap_dim(call.integer(kGluJvp["dim"]), glu.dim());
  const SymInt n = glu.sizes[size_t(dim)];
  const TensorMeta gate = half_of(call, x, dim, n, n), first = half_of(call, dx, dim, 0, n),
                   second = half_of(call, dx, dim, n, n);
  call.require(x.dtype == glu.dtype && dx.dtype == glu.dtype, "C1", "expects one dtype: they are {}, {} and {}", glu, x,
               dx);
  const TensorMeta* const operands[] = {&glu, &gate, &first, &second};
  DimVec sizes;
  BroadcastMismatch mismatch;
  call.require(broadcast_sizes(operands, sizes, mismatch), "C2", "halves must broadcast to {}: they are {} and {}", glu,
               gate, first);
  TensorMeta& out = call.out.fresh(TensorMeta(glu.dtype, sizes, call.device));
  iterator_layout(call, operands, glu.dtype, out);
  if (!call.device.is_meta()) call.require_dtype(glu.dtype, call.op.dtypes_on(call.device.type));
}

void run_jvp(KernelCall& call) {
  using namespace arithmetic;
  const Tensor glu = wide_operand(call.tensor(kGluJvp["glu"]));
  const int64_t dim = call.integer(kGluJvp["dim"]), at = dim < 0 ? dim + glu.dim() : dim;
  const SymInt n = glu.sizes()[size_t(at)];
  const auto half = [&](Position i, SymInt start) {
    return wide_operand(ops::slice(call.tensor(i), at, start, start + n));
  };
  const Tensor gate = ops::sigmoid(half(kGluJvp["x"], n)), second = half(kGluJvp["dx"], n);
  ops::copy_(call.outputs[0], half(kGluJvp["dx"], 0) * gate + glu * (second - gate * second));
}

void backward_jvp(CompositeCall& call) {
  using namespace arithmetic;
  static constexpr auto& kArgs = kGluBackwardJvp;
  const TensorMeta& glu = call.meta(kArgs["grad_glu"]);
  call.require_index(glu.dim() > 0, "dim", "grad_glu must have dims, it is {}", glu);
  const int64_t dim = call.wrap_dim(call.integer(kArgs["dim"]), glu.dim());
  const SymInt n = glu.sizes[size_t(dim)];
  const auto half = [&](Position i, SymInt start) { return ops::narrow(call.tensor(i), dim, start, n); };
  const Tensor a = half(kArgs["x"], 0), gate = ops::sigmoid(half(kArgs["x"], n)), da = half(kArgs["dx"], 0),
               db = half(kArgs["dx"], n), grad_a = half(kArgs["grad_x"], 0);
  const Tensor rest = ops::rsub(gate, Scalar(1));
  const Tensor first = call.tensor(kArgs["dgrad_glu"]) * gate + grad_a * rest * db;
  const Tensor second = first * a * rest + grad_a * da * rest - grad_a * a * rest * gate * db;
  const Value halves[] = {Value(first), Value(second)};
  call.returns(call_op<"aten.cat.default">(std::span<const Value>(halves), dim));
}

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
  r.add_out(glu, "out", WrittenForm{.cast = WrittenCast::Any}).with_rule(out_rule);
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
  OpEntry& jvp = r.add(kGluJvp)
                     .with_rule(jvp_rule)
                     .every_device(run_jvp)
                     .dtypes({DType::F32, DType::F64})
                     .dtypes_on_cuda(kFloats)
                     .sample("f32[2,3], f32[2,6], f32[2,6], 1")
                     .refuses("C1", "f32[2,3], f64[2,6], f32[2,6], 1")
                     .refuses("C2", "f32[2,3], f32[2,5], f32[2,6], 1");
  r.add_out(jvp, "out", kGeneratedForm);
  OpEntry& again = r.add(kGluBackwardJvp)
                       .made_of(backward_jvp)
                       .sample("f32[2,6], f32[2,3], f32[2,6], f32[2,3], f32[2,6], 1")
                       .refuses("dim", "f32[2], f32[], f32[2], f32[], f32[2], 0");
  add_written_apart(r, again, "out").sample("f32[2,6], f32[2,3], f32[2,6], f32[2,3], f32[2,6], 1, out=f32[0]");
}

}  // namespace ersatz::op_glu
