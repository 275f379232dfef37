// Fills a real CPU storage with synthetic values of a dtype.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Fills every whole element of the storage. Bytes after the last whole element become 0.
///   zeros, ones    0 or 1 everywhere
///   ramp           0, 1, 2, ... 6, 0, ...: small enough for every dtype and for most index arguments
///   identity       zeros here; `fill_identity` writes the ones
///   sample         zeros here; the samples are copied in
///   random         floats and complex in [-1, 1), integers in [0, 8), bools; equal seeds give equal values
void fill_storage(Storage& storage, DType dtype, Fill fill, uint64_t seed);
/// Writes ones to the elements whose last two indices are equal. A tensor with less than two dims gets ones everywhere.
/// `storage` has the elements of `meta`.
void fill_identity(Storage& storage, const TensorMeta& meta);
/// Writes an index in [0, bound) to every element: 0, 1, a random number, or 0, 1, 2, ... modulo `bound`, depending on
/// `fill`. If `bound` is 0, no index is valid, and zeros are written. REQUIRES: an integer dtype.
void fill_indices(Storage& storage, const TensorMeta& meta, int64_t bound, Fill fill, uint64_t seed);

}  // namespace ersatz
