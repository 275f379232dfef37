// One tensor as several views along a dim: `split`, `split_with_sizes`, `chunk`, `unbind`.
#pragma once

#include <vector>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/shape/split.h"

namespace ersatz::op_split {

/// Pieces of `split_size` along `dim`, the last one smaller where it does not divide.
/// [split.C1] the input has dims.
/// [split.C2] split_size > 0, or 0 for a dim of size 0.
inline constexpr TypedSchema kSplitTensor{
    "aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]"};
/// Pieces of the given sizes.
/// [split_with_sizes.C1] the input has dims.
/// [split_with_sizes.C2] no size is negative.
/// [split_with_sizes.C3] the sizes add up to the dim's.
inline constexpr TypedSchema kSplitWithSizes{
    "aten::split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]"};
inline constexpr Schema kUnsafeSplitTensor{
    "aten::unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]"};
inline constexpr Schema kUnsafeSplitWithSizes{
    "aten::unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]"};
/// One view an index, the dim gone.
/// [unbind.C1] the input has dims (index error).
inline constexpr TypedSchema kUnbindInt{"aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]"};
/// At most `chunks` pieces of one size, the last one smaller where it does not divide.
/// [chunk.C1] the input has dims.
/// [chunk.C2] chunks > 0.
inline constexpr TypedSchema kChunk{"aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]"};

}  // namespace ersatz::op_split
