// Copies of views: `alias_copy`, `slice_copy`, `split_copy` and others. All these ops share the functions in
// view_copy.cpp.
//
// An `X_copy` op has the arguments and refusals of the view op `X`, with its own name in the labels. It returns the
// views as new tensors: row-major, offset 0, without lazy conjugate or negation bits. Because `view_copy` copies, it
// also accepts strides that `view` refuses.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/view_copy.h"

namespace ersatz::op_view_copy {

inline constexpr TypedSchema kAliasCopy{"aten::alias_copy(Tensor self) -> Tensor"};
inline constexpr Schema kDetachCopy{"aten::detach_copy(Tensor self) -> Tensor"};
inline constexpr TypedSchema kLiftFreshCopy{"aten::lift_fresh_copy(Tensor self) -> Tensor"};
inline constexpr Schema kConjCopy{"aten::_conj_copy(Tensor self) -> Tensor"};
inline constexpr Schema kNegViewCopy{"aten::_neg_view_copy(Tensor self) -> Tensor"};
inline constexpr Schema kViewAsRealCopy{"aten::view_as_real_copy(Tensor self) -> Tensor"};
inline constexpr Schema kViewAsComplexCopy{"aten::view_as_complex_copy(Tensor self) -> Tensor"};
inline constexpr TypedSchema kAsStridedCopy{
    "aten::as_strided_copy(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor"};
inline constexpr TypedSchema kDiagonalCopy{
    "aten::diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor"};
inline constexpr TypedSchema kExpandCopy{
    "aten::expand_copy(Tensor self, SymInt[] size, *, bool implicit=False) -> Tensor"};
inline constexpr TypedSchema kPermuteCopy{"aten::permute_copy(Tensor self, int[] dims) -> Tensor"};
inline constexpr TypedSchema kSelectCopyInt{"aten::select_copy.int(Tensor self, int dim, SymInt index) -> Tensor"};
inline constexpr TypedSchema kSliceCopyTensor{
    "aten::slice_copy.Tensor(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor"};
inline constexpr Schema kSqueezeCopy{"aten::squeeze_copy(Tensor self) -> Tensor"};
inline constexpr Schema kSqueezeCopyDim{"aten::squeeze_copy.dim(Tensor self, int dim) -> Tensor"};
inline constexpr Schema kSqueezeCopyDims{"aten::squeeze_copy.dims(Tensor self, int[] dim) -> Tensor"};
inline constexpr TypedSchema kTCopy{"aten::t_copy(Tensor self) -> Tensor"};
inline constexpr TypedSchema kTransposeCopyInt{"aten::transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor"};
inline constexpr Schema kUnfoldCopy{"aten::unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor"};
inline constexpr TypedSchema kUnsqueezeCopy{"aten::unsqueeze_copy(Tensor self, int dim) -> Tensor"};
inline constexpr Schema kViewCopyDtype{"aten::view_copy.dtype(Tensor self, ScalarType dtype) -> Tensor"};
inline constexpr Schema kSplitCopyTensor{
    "aten::split_copy.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]"};
inline constexpr Schema kSplitWithSizesCopy{
    "aten::split_with_sizes_copy(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]"};
inline constexpr Schema kUnbindCopyInt{"aten::unbind_copy.int(Tensor self, int dim=0) -> Tensor[]"};
/// [view_copy.C1] [view_copy.C2] the constraints C1 and C2 of `view`.
inline constexpr TypedSchema kViewCopy{"aten::view_copy(Tensor self, SymInt[] size) -> Tensor"};
inline constexpr Schema kUnsafeViewOut{
    "aten::_unsafe_view.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"};
/// [narrow_copy.C1] to [narrow_copy.C4] the constraints of `narrow`.
/// [narrow_copy.C5] dim is less than the rank (RuntimeError; IndexError below -rank).
inline constexpr TypedSchema kNarrowCopy{
    "aten::narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor"};
/// The schema pattern of all copies of one view: `self` is the first argument.
inline constexpr Schema kEach{"aten::{}(Tensor self, {}) -> {}"};

}  // namespace ersatz::op_view_copy
