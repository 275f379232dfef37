// `copy`, `slice_scatter`, `select_scatter`, `diagonal_scatter`, `as_strided_scatter`: copies of `self` in which the
// elements of a view are replaced by `src`.
//
// If no elements of `self` share memory, the result has the strides (even with gaps) and the offset of `self`. The
// result always has the device and dtype of `self`, even if those of `src` differ.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/view_scatter.h"

namespace ersatz::op_view_scatter {

/// Returns the elements of `src`, converted and broadcast, in a new tensor with self's sizes, dtype and device.
/// [copy.C4] src broadcasts to the sizes of self.
inline constexpr TypedSchema kCopy{"aten::copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor"};
/// [slice_scatter.C1] [slice_scatter.C2] the constraints C1 and C2 of `slice`.
/// [slice_scatter.C4] src has the sizes of the slice.
inline constexpr TypedSchema kSliceScatter{
    "aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> "
    "Tensor"};
/// [select_scatter.C1] [select_scatter.C2] the constraints C1 and C2 of `select`.
/// [select_scatter.C4] src has the sizes of the selected part.
inline constexpr TypedSchema kSelectScatter{
    "aten::select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor"};
/// [diagonal_scatter.C1] the constraint C1 of `diagonal`.
/// [diagonal_scatter.C4] src has the sizes of the diagonal.
inline constexpr TypedSchema kDiagonalScatter{
    "aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor"};
/// [as_strided_scatter.C1] to [as_strided_scatter.C3] the constraints of `as_strided`.
/// [as_strided_scatter.C4] src has the sizes of the view.
/// [as_strided_scatter.C5] no two elements of the view share memory.
inline constexpr TypedSchema kAsStridedScatter{
    "aten::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> "
    "Tensor"};
inline constexpr Schemas kEach{kCopy, kSliceScatter, kSelectScatter, kDiagonalScatter, kAsStridedScatter};
inline constexpr Schemas kOfViews{kSliceScatter, kSelectScatter, kDiagonalScatter};

}  // namespace ersatz::op_view_scatter
