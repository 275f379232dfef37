// Questions about a tensor's layout for the texts about causes. The metadata must be static.
#pragma once

#include <string>
#include <vector>

#include "runtime/tensor/tensor_meta.h"

namespace ersatz::tools {

bool is_row_major(const TensorMeta& t);
/// True if the strides are in that order, outermost dim first. Dims of size 1 are ignored.
bool lies_in_order(const TensorMeta& t, const std::vector<size_t>& order);
/// True if the dims have the same stride order as those of `argument`, and that order is not row-major.
bool is_ordered_like(const TensorMeta& t, const TensorMeta& argument);
/// True if a dim with more than one element has stride 0.
bool has_expanded_dim(const TensorMeta& t);
/// Text about a gap between consecutive elements: `its rows of 4 elements lie 8 apart`; empty for dense memory.
std::string gap_of(const TensorMeta& t);
std::vector<int64_t> without_ones(const TensorMeta& t);

}  // namespace ersatz::tools
