// Views that divide a tensor along a dim: `split`, `split_with_sizes`, `chunk`, `unbind`.
#pragma once

#include <vector>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/shape/split.h"

namespace ersatz::op_split {

/// Returns pieces of size `split_size` along dim `dim`. The last piece is smaller if split_size does not divide the
/// dim.
/// [split.C1] self is not 0-d.
/// [split.C2] split_size is positive, or 0 for a dim of size 0.
inline constexpr TypedSchema kSplitTensor{
    "aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]"};
/// Returns pieces of the given sizes along dim `dim`.
/// [split_with_sizes.C1] self is not 0-d.
/// [split_with_sizes.C2] no size is negative.
/// [split_with_sizes.C3] the sum of the sizes is the dim's size.
inline constexpr TypedSchema kSplitWithSizes{
    "aten::split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]"};
inline constexpr Schema kUnsafeSplitTensor{
    "aten::unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]"};
inline constexpr Schema kUnsafeSplitWithSizes{
    "aten::unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]"};
/// Returns one view for each index of dim `dim`, which is removed.
/// [unbind.C1] self is not 0-d (IndexError).
inline constexpr TypedSchema kUnbindInt{"aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]"};
/// Returns at most `chunks` pieces of equal size along dim `dim`; the last piece may be smaller.
/// [chunk.C1] self is not 0-d.
/// [chunk.C2] chunks is positive.
inline constexpr TypedSchema kChunk{"aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]"};

}  // namespace ersatz::op_split
