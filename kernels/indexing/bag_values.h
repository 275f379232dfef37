// What the values of a bag's index tensors must be, and the words where they are not: for the CPU and CUDA alike.
#pragma once

#include <span>
#include <string>

#include "runtime/op/kernel.h"

namespace ersatz {

std::string row_words(int64_t index, int64_t position, int64_t rows);
std::string bag_words(int64_t bag, int64_t bags);
std::string offset_words(int64_t offset, int64_t position, int64_t indices);

/// Value failures: an index that is no row; a name that is no bag's.
void check_row(const KernelCall& call, int64_t index, int64_t position, int64_t rows);
void check_rows(const KernelCall& call, std::span<const int64_t> indices, int64_t rows);
void check_bags(const KernelCall& call, std::span<const int64_t> names, int64_t bags);
/// An index error where an offset lies outside of [0, indices], of those that may stand in any order.
void check_offsets(const KernelCall& call, std::span<const int64_t> offsets, int64_t indices);

}  // namespace ersatz
