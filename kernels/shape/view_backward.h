// A gradient put where a view took its elements from, in a tensor of zeros: the backward of `diagonal`, `select`,
// `slice`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/view_backward.h"

namespace ersatz::op_view_backward {

/// A row-major tensor of `input_sizes`; labels are those of the view op, under the name of this one.
/// [diagonal_backward.C4] [select_backward.C4] [slice_backward.C4] a gradient that broadcasts to the view.
/// [diagonal_backward.C5] [select_backward.C5] [slice_backward.C5] no negative size.
inline constexpr TypedSchema kDiagonalBackward{
    "aten::diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int dim2) -> Tensor"};
inline constexpr TypedSchema kSelectBackward{
    "aten::select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor"};
inline constexpr TypedSchema kSliceBackward{
    "aten::slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, SymInt step) -> "
    "Tensor"};
inline constexpr Schemas kEach{kDiagonalBackward, kSelectBackward, kSliceBackward};

}  // namespace ersatz::op_view_backward
