// Weights w = g v / |v|, where g has a length for each index of `dim` and v gives the direction. Also norms over all
// dims except one.
//
// The operators `_weight_norm_interface` and its gradients take the first or the last dim. Their norms are f32 if v is
// f16 or bf16, and have g's layout. Other results are row-major. Constraints, where `op` is the op's name:
//
// [op.C1] dim is the first or the last dim.
// [op.C2] all tensors have one dtype, except norms, which are f32, or f64 if v is f64.
// [op.C3] there is one norm for each element of g.
// [op.NYI] g has an element for each index of dim. Otherwise PyTorch's kernels would read past the end of g.
// [op.C4] v has a dim (index error).
// [op.C5] saved tensors are row-major, and gradient and v have equal sizes.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/norm/weight_norm.h"

namespace ersatz::op_weight_norm {

/// Returns (w, norms).
inline constexpr TypedSchema kInner{"aten::_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)"};
/// Returns the gradients of v and g.
inline constexpr TypedSchema kInnerBackward{
    "aten::_weight_norm_interface_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, int dim) "
    "-> (Tensor, Tensor)"};
/// Computes the gradients of _weight_norm_interface_backward by differentiable operators.
inline constexpr TypedSchema kDifferentiableBackward{
    "aten::_weight_norm_differentiable_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, int "
    "dim) -> (Tensor, Tensor)"};
/// Returns w for any dim. For dim -1 there is one length for all elements.
inline constexpr TypedSchema kWeightNorm{"aten::_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor"};
/// Returns the p-norm for each index of `dim`, with size 1 in all other dims. For dim -1, returns the norm of all
/// elements.
/// [norm_except_dim.C1] v has a dim (index error).
inline constexpr TypedSchema kNormExceptDim{"aten::norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor"};

inline constexpr Schemas kBackwards{kInnerBackward, kDifferentiableBackward};

}  // namespace ersatz::op_weight_norm
