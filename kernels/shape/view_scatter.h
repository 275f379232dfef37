// Copies of a tensor in which a view is replaced: `copy`, `slice_scatter`, `select_scatter`, `diagonal_scatter`,
// `as_strided_scatter`.
//
// The result has the strides (with gaps) and the offset of `self`, unless elements of `self` share memory. It has the
// device and dtype of `self`, whatever those of `src` are.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/view_scatter.h"

namespace ersatz::op_view_scatter {

/// Returns `src`, converted and broadcast, in a tensor like `self`.
/// [copy.C4] src broadcasts to the sizes of self.
inline constexpr TypedSchema kCopy{"aten::copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor"};
/// [slice_scatter.C1] [slice_scatter.C2] those of `slice`.
/// [slice_scatter.C4] src has the sizes of the slice.
inline constexpr TypedSchema kSliceScatter{
    "aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> "
    "Tensor"};
/// [select_scatter.C1] [select_scatter.C2] those of `select`.
/// [select_scatter.C4] src has the sizes of the selected part.
inline constexpr TypedSchema kSelectScatter{
    "aten::select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor"};
/// [diagonal_scatter.C1] that of `diagonal`.
/// [diagonal_scatter.C4] src has the sizes of the diagonal.
inline constexpr TypedSchema kDiagonalScatter{
    "aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor"};
/// [as_strided_scatter.C1] to [as_strided_scatter.C3] those of `as_strided`.
/// [as_strided_scatter.C4] src has the sizes of the view.
/// [as_strided_scatter.C5] no two elements of the view share memory.
inline constexpr TypedSchema kAsStridedScatter{
    "aten::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> "
    "Tensor"};
inline constexpr Schemas kEach{kCopy, kSliceScatter, kSelectScatter, kDiagonalScatter, kAsStridedScatter};
inline constexpr Schemas kOfViews{kSliceScatter, kSelectScatter, kDiagonalScatter};

}  // namespace ersatz::op_view_scatter
