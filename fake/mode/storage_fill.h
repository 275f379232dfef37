// Filling a real CPU storage with made-up values of a dtype.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Every whole element of the storage; bytes after the last one are zeroed.
///   zeros, ones    what they say
///   ramp           0, 1, 2, ... 6, 0, ...: small enough for every dtype and for most index arguments
///   identity       zeros here; `fill_identity` writes the ones
///   sample         zeros here; the samples are copied in
///   random         floats and complex in [-1, 1), integers in [0, 8), bools; the same for the same seed
void fill_storage(Storage& storage, DType dtype, Fill fill, uint64_t seed);
/// Writes ones where the last two indices are equal (in a tensor of less than two dims: everywhere). `storage` holds
/// the elements of `meta`.
void fill_identity(Storage& storage, const TensorMeta& meta);
/// Writes integers in [0, bound) to every element: what `fill` would write, brought into the domain. A bound of 0 has
/// no valid index: zeros. REQUIRES: an integer dtype.
void fill_indices(Storage& storage, const TensorMeta& meta, int64_t bound, Fill fill, uint64_t seed);

}  // namespace ersatz
