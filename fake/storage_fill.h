// Filling a real CPU storage with made-up values of a dtype.
#pragma once

#include "runtime/op_entry.h"

namespace ersatz {

/// Every whole element of the storage; bytes after the last one are zeroed.
///   zeros, ones    what they say
///   ramp           0, 1, 2, ... 6, 0, ...: small enough for every dtype and for most index arguments
///   random         floats and complex in [-1, 1), integers in [0, 8), bools; the same for the same seed
void fill_storage(Storage& storage, DType dtype, Fill fill, uint64_t seed);

}  // namespace ersatz
