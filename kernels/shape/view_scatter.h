// A copy of a tensor in which one view of it is replaced: `copy`, `slice_scatter`, `select_scatter`,
// `diagonal_scatter`,
// `as_strided_scatter`.
//
// The result keeps the strides and the offset of `self`, gaps too, unless elements of it share memory; it lives on the
// device of `self` and has its dtype, wherever `src` is and whatever it holds.
#pragma once

#include <optional>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_view_scatter {

inline constexpr Schema kCopy{"aten::copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor"};
inline constexpr Schema kSliceScatter{
    "aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> "
    "Tensor"};
inline constexpr Schema kSelectScatter{
    "aten::select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor"};
inline constexpr Schema kDiagonalScatter{
    "aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor"};
inline constexpr Schema kAsStridedScatter{
    "aten::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> "
    "Tensor"};
inline constexpr Schemas kEach{kCopy, kSliceScatter, kSelectScatter, kDiagonalScatter, kAsStridedScatter};
inline constexpr Schemas kOfViews{kSliceScatter, kSelectScatter, kDiagonalScatter};

}  // namespace ersatz::op_view_scatter

namespace ersatz::ops {

/// `src`, converted and broadcast, in a tensor like `self`.
/// [copy.C4] src broadcasts to the sizes of self.
Tensor copy(const Tensor& self, const Tensor& src, bool non_blocking = false);
/// [slice_scatter.C1] [slice_scatter.C2] what `slice` asks for.
/// [slice_scatter.C4] src has the sizes of the slice.
Tensor slice_scatter(const Tensor& self, const Tensor& src, int64_t dim = 0, std::optional<SymInt> start = std::nullopt,
                     std::optional<SymInt> end = std::nullopt, SymInt step = 1);
/// [select_scatter.C1] [select_scatter.C2] what `select` asks for.
/// [select_scatter.C4] src has the sizes of the selected part.
Tensor select_scatter(const Tensor& self, const Tensor& src, int64_t dim, SymInt index);
/// [diagonal_scatter.C1] what `diagonal` asks for.
/// [diagonal_scatter.C4] src has the sizes of the diagonal.
Tensor diagonal_scatter(const Tensor& self, const Tensor& src, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1);
/// [as_strided_scatter.C1] to [as_strided_scatter.C3] what `as_strided` asks for.
/// [as_strided_scatter.C4] src has the sizes of the view.
/// [as_strided_scatter.C5] no two elements of the view share memory.
Tensor as_strided_scatter(const Tensor& self, const Tensor& src, std::span<const SymInt> size,
                          std::span<const SymInt> stride, std::optional<SymInt> storage_offset = std::nullopt);

}  // namespace ersatz::ops
