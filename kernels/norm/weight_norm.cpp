#include "kernels/norm/weight_norm.h"

#include "kernels/pointwise/arithmetic.h"
#include "kernels/reduction/sum.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/functional_forms.h"
#include "kernels/shape/reshape.h"
#include "kernels/wide_operand.h"
#include "runtime/op/composite.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_weight_norm {
namespace {

using namespace arithmetic;

DType dtype_of_norms(DType v) { return is_reduced_float(v) ? DType::F32 : v; }

/// Raises [op.C1] to [op.C4] unless v, g and dim meet these conditions.
void check(const RuleCall& call, Position v_at, Position g_at, int64_t dim) {
  const TensorMeta &v = call.meta(v_at), &g = call.meta(g_at);
  call.require(dim == 0 || dim == v.dim() - 1, "C1", "dim must be the first or the last one: dim is {}, v is {}", dim,
               v);
  call.require_index(v.dim() > 0, "C4", "v must have a dim: it is {}", v);
  call.require_dtype(v.dtype, kFloats);
  call.require(v.dtype == g.dtype, "C2", "v and g must have one dtype: they are {} and {}", v, g);
  // PyTorch's kernel reads as many elements of g as v needs, even past the end of g.
  if (!check_eq(g.numel(), v.sizes[static_cast<size_t>(dim)])) {
    call.not_modelled("g must have an element for each index of dim {}: v is {}, g is {}", dim, v, g);
  }
}

void inner_rule(RuleCall& call) {
  check(call, kInner["v"], kInner["g"], call.integer(kInner["dim"]));
  const TensorMeta &v = call.meta(kInner["v"]), &g = call.meta(kInner["g"]);
  call.out.fresh(TensorMeta(v.dtype, v.sizes, call.device));
  call.out.fresh(TensorMeta(dtype_of_norms(v.dtype), g.sizes, g.strides, call.device));
}

void check_backward(const RuleCall& call) {
  const TensorMeta &grad = call.meta(kBackwards["grad_w"]), &v = call.meta(kBackwards["saved_v"]);
  check(call, kBackwards["saved_v"], kBackwards["saved_g"], call.integer(kBackwards["dim"]));
  const TensorMeta& norms = call.meta(kBackwards["saved_norms"]);
  // _weight_norm_differentiable_backward, a composite operator, also accepts norms in the dtype of v.
  const bool own = call.op.composite && norms.dtype == v.dtype;
  call.require(grad.dtype == v.dtype && (own || norms.dtype == dtype_of_norms(v.dtype)), "C2",
               "grad_w must have the dtype of v, norms that or f32: they are {} and {}, v is {}", grad, norms, v);
  call.require(check_eq(norms.numel(), call.meta(kBackwards["saved_g"]).numel()), "C3",
               "norms must be as many as g: they are {} and {}", norms, call.meta(kBackwards["saved_g"]));
  call.require(grad.dim() == v.dim() && check_eq(grad.sizes, v.sizes), "C5",
               "grad_w must have the sizes of v: they are {} and {}", grad, v);
  for (Position p : {kBackwards["saved_v"], kBackwards["saved_g"], kBackwards["saved_norms"]}) {
    call.require(is_contiguous(call.meta(p)), "C5", "{} must be row-major: it is {}", call.op.schema.arguments[p].name,
                 call.meta(p));
  }
}
void inner_backward_rule(RuleCall& call) {
  check_backward(call);
  const TensorMeta &v = call.meta(kInnerBackward["saved_v"]), &g = call.meta(kInnerBackward["saved_g"]);
  call.out.fresh(TensorMeta(v.dtype, v.sizes, call.device));
  call.out.fresh(TensorMeta(g.dtype, g.sizes, call.device));
}

/// Views v as a matrix with one length for each row, or for each column if `dim` is the last dim.
struct Plane {
  SymInt rows, columns;
  int64_t summed;  ///< the dim of the matrix over which a length is computed
  Plane(std::span<const SymInt> sizes, int64_t dim) : rows(1), columns(1), summed(dim == 0 ? 1 : 0) {
    for (size_t d = 0; d < sizes.size(); ++d) {
      const bool is_row = dim == 0 ? d == 0 : d + 1 < sizes.size();
      (is_row ? rows : columns) *= sizes[d];
    }
  }
  Tensor of(const Tensor& t) const { return ops::reshape(wide_operand(t), DimVec{rows, columns}); }
  Tensor lengths(const Tensor& t) const {
    return ops::reshape(wide_operand(t), summed == 1 ? DimVec{rows, 1} : DimVec{SymInt(1), columns});
  }
  Tensor sums(const Tensor& t) const { return ops::sum(t, DimVec{SymInt(summed)}, true); }
};
void put(const Tensor& to, const Tensor& from) { copy_elements(to, ops::reshape(from, to.sizes())); }

void run_inner(KernelCall& call) {
  const Tensor v = call.tensor(kInner["v"]);
  const Plane plane(v.sizes(), call.integer(kInner["dim"]));
  const Tensor x = plane.of(v), norms = ops::sqrt(plane.sums(x * x));
  put(call.outputs[0], x * (plane.lengths(call.tensor(kInner["g"])) / norms));
  put(call.outputs[1], norms);
}

struct Gradients {
  Tensor v, g;
};
template <class Call>
Gradients gradients(const Call& call) {
  const Tensor v = call.tensor(kBackwards["saved_v"]);
  const Plane plane(v.sizes(), call.integer(kBackwards["dim"]));
  const Tensor x = plane.of(v), grad = plane.of(call.tensor(kBackwards["grad_w"]));
  const Tensor norms = plane.lengths(call.tensor(kBackwards["saved_norms"])),
               g = plane.lengths(call.tensor(kBackwards["saved_g"]));
  const Tensor along = plane.sums(grad * x) / norms;
  const Tensor scale = g / norms;
  // Both operators compute this gradient. The order of operations differs, which matters if a norm is 0.
  if (call.op.composite) return {scale * (grad - x * (along / norms)), along};
  return {scale * grad - x * (scale * (along / norms)), along};
}
void run_inner_backward(KernelCall& call) {
  const Gradients made = gradients(call);
  put(call.outputs[0], made.v);
  put(call.outputs[1], made.g);
}
void differentiable_backward(CompositeCall& call) {
  check_backward(call);
  const Gradients made = gradients(call);
  for (const auto& [t, like] : {std::pair(made.v, kBackwards["saved_v"]), std::pair(made.g, kBackwards["saved_g"])})
    call.returns(ops::reshape(ops::to(t, call.meta(like).dtype), call.meta(like).sizes));
}

/// Returns the norm for each index of `dim`, over all other dims. The other dims get size 1. For dim -1, returns the
/// norm of v.
Tensor norm_except_dim(const RuleCall& call, const Tensor& v, int64_t pow, int64_t dim) {
  if (dim == -1) return call_op<"aten.norm.Scalar">(v, Scalar(pow));
  call.require_index(v.dim() > 0, "C1", "v must have a dim: it is {}", v.meta());
  const auto at = static_cast<size_t>(call.wrap_dim(dim, v.dim()));
  DimVec sizes(v.sizes().size(), SymInt(1));
  sizes[at] = v.sizes()[at];
  const Tensor first = call_op<"aten.movedim.int">(v, static_cast<int64_t>(at), int64_t(0));
  const Tensor rows = ops::reshape(first, DimVec{sizes[at], -1});
  return ops::reshape(call_op<"aten.norm.ScalarOpt_dim">(rows, Scalar(pow), DimVec{SymInt(1)}, false), sizes);
}
void run_norm_except_dim(CompositeCall& call) {
  call.returns(norm_except_dim(call, call.tensor(kNormExceptDim["v"]), call.integer(kNormExceptDim["pow"]),
                               call.integer(kNormExceptDim["dim"])));
}
void weight_norm(CompositeCall& call) {
  const Tensor v = call.tensor(kWeightNorm["v"]), g = call.tensor(kWeightNorm["g"]);
  const int64_t dim = call.integer(kWeightNorm["dim"]);
  if (dim == 0 || dim == v.dim() - 1)
    return call.returns(std::get<0>(ops::_weight_norm_interface(ops::contiguous(v), ops::contiguous(g), dim)));
  call.returns(v * (g / ops::norm_except_dim(v, 2, dim)));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& inner = r.add(kInner)
                       .with_rule(inner_rule)
                       .every_device(run_inner)
                       .dtypes(kFloats)
                       .sample("f32[3,4,5], f32[3,1,1]")
                       .sample("f64[3,4]{1,3}, f64[1,4], 1")
                       .sample("bf16[3], bf16[3]")
                       .refuses("C1", "f32[3,4,5], f32[1,4,1], 1")
                       .refuses("C2", "f32[3,4], f64[3,1]")
                       .refuses("NYI", "f32[3,4], f32[4,1]")
                       .refuses("C4", "f32[], f32[]");
  r.add_out(inner, "out", kGeneratedForm);
  OpEntry& backward = r.add(kInnerBackward)
                          .with_rule(inner_backward_rule)
                          .every_device(run_inner_backward)
                          .dtypes(kFloats)
                          .sample("f32[3,4,5]{1,3,12}, f32[3,4,5], f32[3,1,1], f32[3,1,1], 0", 0.5, 2)
                          .sample("bf16[3,4], bf16[3,4], bf16[1,4], f32[1,4], 1", 0.5, 2)
                          .refuses("C2", "f32[3,4], f32[3,4], f32[3,1], f64[3,1], 0")
                          .refuses("C3", "f32[3,4], f32[3,4], f32[3,1], f32[4,1], 0")
                          .refuses("C5", "f32[3,4], f32[3,4]{1,3}, f32[3,1], f32[3,1], 0")
                          .refuses("C5", "f32[4,3], f32[3,4], f32[3,1], f32[3,1], 0");
  r.add_out(backward, "out", kGeneratedForm);
  r.add(kDifferentiableBackward)
      .with_composite(differentiable_backward)
      .sample("f32[3,4,5], f32[3,4,5], f32[3,1,1], f32[3,1,1], 0", 0.5, 2)
      .refuses("C1", "f32[3,4,5], f32[3,4,5], f32[1,4,1], f32[1,4,1], 1");
  r.add(kWeightNorm).with_composite(weight_norm).sample("f32[3,4,5], f32[1,4,1], 1").sample("f32[3,4], f32[3,1]");
  r.add(kNormExceptDim).with_composite(run_norm_except_dim).sample("f32[3,4,5], 2, 1").refuses("C1", "f32[]");
}

}  // namespace ersatz::op_weight_norm
