// Checks of the values in a bag's index tensors, with the error texts, for CPU and CUDA kernels.
#pragma once

#include <span>
#include <string>

#include "runtime/op/kernel.h"

namespace ersatz {

std::string row_words(int64_t index, int64_t position, int64_t rows);
std::string bag_words(int64_t bag, int64_t bags);
std::string offset_words(int64_t offset, int64_t position, int64_t indices);

/// Raise an error with `value_failure` for an index that is no row, or for an element of offset2bag that is no bag.
void check_row(const KernelCall& call, int64_t index, int64_t position, int64_t rows);
void check_rows(const KernelCall& call, std::span<const int64_t> indices, int64_t rows);
void check_bags(const KernelCall& call, std::span<const int64_t> names, int64_t bags);
/// Raises an IndexError for an offset outside of [0, indices]. The offsets may be in any order.
void check_offsets(const KernelCall& call, std::span<const int64_t> offsets, int64_t indices);

}  // namespace ersatz
