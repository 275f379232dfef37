// `take` and `put` by flat positions in row-major order; `take_along_dim`.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "typed/indexing/take.h"

namespace ersatz::op_take {

/// Elements of `self` at flat row-major positions, in the sizes of `index`. Negative indices count from the end.
/// [take.C1] an i64 index.
/// [take.C2] nothing is taken from an empty tensor (index error).
/// Values: each index is in [-numel, numel) (index error).
inline constexpr TypedSchema kTake{"aten::take(Tensor self, Tensor index) -> Tensor"};
/// A copy of `self`, in its layout, with elements of `source` written or added at flat row-major positions.
/// [put.C1] an i64 index.
/// [put.C2] source of self's dtype.
/// [put.C3] as many elements in source as in index (index error).
/// [put.C4] nothing is put into an empty tensor (index error).
/// Values: each index is in [-numel, numel) (index error).
/// The in-place form returns `self` itself.
/// [put_.C6] neither index nor source shares memory with self.
inline constexpr TypedSchema kPut{
    "aten::put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor", kAndInplace};
/// `gather` with broadcast sizes and indices modulo the size of the dim. Without `dim`, the elements at flat row-major
/// positions, without the modulo.
/// [take_along_dim.C1] an i64 index.
/// [take_along_dim.C2] equal ranks.
/// [take_along_dim.C3] sizes that broadcast except in `dim`.
inline constexpr TypedSchema kTakeAlongDim{
    "aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor"};

}  // namespace ersatz::op_take
