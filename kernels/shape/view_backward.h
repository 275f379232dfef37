// Gradients of `diagonal`, `select`, `slice`: the gradient is written to the elements of the view, in a tensor of
// zeros.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/view_backward.h"

namespace ersatz::op_view_backward {

/// Returns a row-major tensor of `input_sizes`. Other labels are those of the view op, under the name of the gradient.
/// [diagonal_backward.C4] [select_backward.C4] [slice_backward.C4] the gradient broadcasts to the view.
/// [diagonal_backward.C5] [select_backward.C5] [slice_backward.C5] no size is negative.
inline constexpr TypedSchema kDiagonalBackward{
    "aten::diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int dim2) -> Tensor"};
inline constexpr TypedSchema kSelectBackward{
    "aten::select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor"};
inline constexpr TypedSchema kSliceBackward{
    "aten::slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, SymInt step) -> "
    "Tensor"};
inline constexpr Schemas kEach{kDiagonalBackward, kSelectBackward, kSliceBackward};

}  // namespace ersatz::op_view_backward
