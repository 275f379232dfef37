// Weights split in a direction v and lengths g, w = g v / |v|: one length for each index of one dim. And norms of all
// but one dim.
//
// The inner ops, forwards and back, take the first or the last dim; their norms are f32 where v is f16 or bf16, and
// laid out as g is, the rest is row-major. Constraints, where `op` is the op's name:
//
// [op.C1] dim is the first or the last one.
// [op.C2] one dtype, but for norms: f32 or, of f64, f64.
// [op.C3] norms are as many as g.
// [op.NYI] g has an element for each index of dim: PyTorch's kernels read past its end.
// [op.C4] v has a dim (index error).
// [op.C5] what was saved is row-major; gradient and v have the same sizes.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/norm/weight_norm.h"

namespace ersatz::op_weight_norm {

/// (w, norms)
inline constexpr TypedSchema kInner{"aten::_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)"};
/// Gradients of v and g.
inline constexpr TypedSchema kInnerBackward{
    "aten::_weight_norm_interface_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, int dim) "
    "-> (Tensor, Tensor)"};
/// The same, made of ops that have gradients themselves.
inline constexpr TypedSchema kDifferentiableBackward{
    "aten::_weight_norm_differentiable_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, int "
    "dim) -> (Tensor, Tensor)"};
/// Any dim; -1 means one length for all.
inline constexpr TypedSchema kWeightNorm{"aten::_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor"};
/// The p-norms of what has one index of `dim`, with all other sizes 1; of all elements for -1.
/// [norm_except_dim.C1] v has a dim (index error).
inline constexpr TypedSchema kNormExceptDim{"aten::norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor"};

inline constexpr Schemas kBackwards{kInnerBackward, kDifferentiableBackward};

}  // namespace ersatz::op_weight_norm
