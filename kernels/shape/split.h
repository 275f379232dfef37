// Views that divide a tensor along a dim: `split`, `split_with_sizes`, `chunk`, `unbind`.
#pragma once

#include <vector>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/shape/split.h"

namespace ersatz::op_split {

/// Pieces of `split_size` along `dim`; the last one is smaller if the size does not divide the dim.
/// [split.C1] the input has dims.
/// [split.C2] split_size is positive, or 0 for a dim of size 0.
inline constexpr TypedSchema kSplitTensor{
    "aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]"};
/// Pieces of the given sizes.
/// [split_with_sizes.C1] the input has dims.
/// [split_with_sizes.C2] no size is negative.
/// [split_with_sizes.C3] the sum of the sizes is the dim's size.
inline constexpr TypedSchema kSplitWithSizes{
    "aten::split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]"};
inline constexpr Schema kUnsafeSplitTensor{
    "aten::unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]"};
inline constexpr Schema kUnsafeSplitWithSizes{
    "aten::unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]"};
/// One view for each index; the dim is removed.
/// [unbind.C1] the input has dims (IndexError).
inline constexpr TypedSchema kUnbindInt{"aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]"};
/// At most `chunks` pieces of equal size; the last one may be smaller.
/// [chunk.C1] the input has dims.
/// [chunk.C2] chunks is positive.
inline constexpr TypedSchema kChunk{"aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]"};

}  // namespace ersatz::op_split
