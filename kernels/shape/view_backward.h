// Gradients of `diagonal`, `select` and `slice`: a tensor of zeros in which the elements of the view have the gradient.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/view_backward.h"

namespace ersatz::op_view_backward {

/// These ops return a row-major tensor of `input_sizes`. Labels C1 to C3 are the constraints of the view op, under the
/// gradient's name.
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
