// Weights w = g v / |v| with a direction v and lengths g, one for each index of `dim`; and norms over all dims but one.
//
// The inner operators take the first or the last dim. Their norms are f32 if v is f16 or bf16, and have g's layout;
// other results are row-major. Constraints, where `op` is the op's name:
//
// [op.C1] dim is the first or the last.
// [op.C2] one dtype, except that norms are f32 or, for f64, f64.
// [op.C3] there are as many norms as elements of g.
// [op.NYI] g has an element for each index of dim; PyTorch's kernels would read past its end.
// [op.C4] v has a dim (index error).
// [op.C5] saved tensors are row-major; gradient and v have equal sizes.
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
/// _weight_norm_interface_backward as a composite of differentiable operators.
inline constexpr TypedSchema kDifferentiableBackward{
    "aten::_weight_norm_differentiable_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, int "
    "dim) -> (Tensor, Tensor)"};
/// w for any dim; with dim -1 there is one length for all elements.
inline constexpr TypedSchema kWeightNorm{"aten::_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor"};
/// The p-norm for each index of `dim`, with all other sizes 1; with dim -1 the norm of all elements.
/// [norm_except_dim.C1] v has a dim (index error).
inline constexpr TypedSchema kNormExceptDim{"aten::norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor"};

inline constexpr Schemas kBackwards{kInnerBackward, kDifferentiableBackward};

}  // namespace ersatz::op_weight_norm
