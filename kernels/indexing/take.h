// `take` and `put` at row-major positions in the flattened tensor, and `take_along_dim`.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "typed/indexing/take.h"

namespace ersatz::op_take {

/// Returns the elements of `self` at row-major positions in the flattened tensor, with the sizes of `index`. Negative
/// indices count from the end.
/// [take.C1] the index is i64.
/// [take.C2] an empty self requires an empty index (else IndexError).
/// Values: each index is in [-numel, numel) (else IndexError).
inline constexpr TypedSchema kTake{"aten::take(Tensor self, Tensor index) -> Tensor"};
/// Returns a copy of `self`, in its layout, with elements of `source` written (or added) at row-major positions in the
/// flattened tensor.
/// [put.C1] the index is i64.
/// [put.C2] source has self's dtype.
/// [put.C3] source has as many elements as index (else IndexError).
/// [put.C4] an empty self requires an empty index (else IndexError).
/// Values: each index is in [-numel, numel) (else IndexError).
/// `put_` returns `self`.
/// [put_.C6] neither index nor source shares memory with self.
inline constexpr TypedSchema kPut{
    "aten::put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor", kAndInplace};
/// `gather` with broadcast sizes, and with indices modulo the size of the dim. Without `dim`, returns the elements at
/// row-major positions in the flattened tensor, without the modulo.
/// [take_along_dim.C1] the index is i64.
/// [take_along_dim.C2] self and indices have equal ranks.
/// [take_along_dim.C3] sizes broadcast except in `dim`.
inline constexpr TypedSchema kTakeAlongDim{
    "aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor"};

}  // namespace ersatz::op_take
