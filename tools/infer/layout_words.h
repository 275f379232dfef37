// Helpers that describe a tensor's layout in the texts about causes. REQUIRES: sizes and strides have no symbols.
#pragma once

#include <string>
#include <vector>

#include "runtime/tensor/tensor_meta.h"

namespace ersatz::tools {

bool is_row_major(const TensorMeta& t);
/// True if the dims, sorted by stride with the largest first, are in the order `order`. Dims of size 1 are ignored.
bool lies_in_order(const TensorMeta& t, const std::vector<size_t>& order);
/// True if the dims of `t` have the stride order of the dims of `argument`, and that order is not row-major.
bool is_ordered_like(const TensorMeta& t, const TensorMeta& argument);
/// True if a dim with more than one element has stride 0.
bool has_expanded_dim(const TensorMeta& t);
/// Describes a gap between consecutive elements: `its rows of 4 elements lie 8 apart`; empty for dense memory.
std::string gap_of(const TensorMeta& t);
std::vector<int64_t> without_ones(const TensorMeta& t);

}  // namespace ersatz::tools
