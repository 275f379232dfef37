// Algorithms over whole arrays on a device: sorting, prefix sums, selection by flags.
//
// On a GPU these functions call CUB (algorithms_cuda.cu); on the emulated device they call the standard library
// (tests/emulated_cuda/algorithms.cpp). A sort costs seconds of compile time for each type of key, so only two types
// are compiled. Every dtype is sorted by unsigned keys (kernels/sorting/sort_key.h), and rows are sorted by keys that
// begin with the row. All functions queue work on the device's current stream and use DeviceScratch as work space.
#pragma once

#include <cstdint>

namespace ersatz::cuda_module {

/// Sorts n pairs of key and value by key, ascending; pairs of equal keys keep their order. REQUIRES: keys are below
/// 2^bits, and results and inputs do not overlap.
void sort_pairs(int device, int64_t n, int bits, const uint32_t* keys, uint32_t* sorted_keys, const int64_t* values,
                int64_t* sorted_values);
void sort_pairs(int device, int64_t n, int bits, const uint64_t* keys, uint64_t* sorted_keys, const int64_t* values,
                int64_t* sorted_values);

/// Sets to[i] = from[0] + ... + from[i], modulo 2^64.
void running_sums(int device, int64_t n, const int64_t* from, int64_t* to);

/// Returns the number of flags that are not 0. Waits for the device.
int64_t count_flags(int device, int64_t n, const uint8_t* flags);
/// Writes the indices of all flags that are not 0, ascending. `positions` has room for count_flags() indices.
void flagged_positions(int device, int64_t n, const uint8_t* flags, int64_t* positions);

}  // namespace ersatz::cuda_module
