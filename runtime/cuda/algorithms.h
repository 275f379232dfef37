// Algorithms over whole arrays on a device: sorting, prefix sums, selection by flags.
//
// On a GPU they are CUB's (algorithms_cuda.cu), on the emulated device the standard library's
// (tests/emulated_cuda/algorithms.cpp). They are few and narrow on purpose: a sort costs seconds of compile time for
// each type of key. So every dtype is sorted by unsigned numbers (kernels/sorting/sort_key.h), and rows by numbers that
// begin with the row. All work on the device's current stream; work space is DeviceScratch.
#pragma once

#include <cstdint>

namespace ersatz::cuda_module {

/// Sorts n pairs by the lowest `bits` bits of their keys, ascending; pairs of equal keys keep their order. The other
/// bits are 0 (REQUIRES). REQUIRES: results and inputs do not overlap.
void sort_pairs(int device, int64_t n, int bits, const uint32_t* keys, uint32_t* sorted_keys, const int64_t* values,
                int64_t* sorted_values);
void sort_pairs(int device, int64_t n, int bits, const uint64_t* keys, uint64_t* sorted_keys, const int64_t* values,
                int64_t* sorted_values);

/// to[i] = from[0] + ... + from[i], modulo 2^64.
void running_sums(int device, int64_t n, const int64_t* from, int64_t* to);

/// How many flags are not 0. Waits for the device.
int64_t count_flags(int device, int64_t n, const uint8_t* flags);
/// Writes the indices i with flags[i] not 0, ascending; there are count_flags of them.
void flagged_positions(int device, int64_t n, const uint8_t* flags, int64_t* positions);

}  // namespace ersatz::cuda_module
