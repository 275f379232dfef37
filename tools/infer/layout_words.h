// How a tensor lies in memory, as the sentences about causes need it. Of static metadata.
#pragma once

#include <string>
#include <vector>

#include "runtime/tensor/tensor_meta.h"

namespace ersatz::tools {

bool is_row_major(const TensorMeta& t);
/// Do its dims lie in memory in that order, outermost first? Dims of size 1 say nothing.
bool lies_in_order(const TensorMeta& t, const std::vector<size_t>& order);
/// Do its dims lie in memory in the order of that argument's, which is not their natural one?
bool is_ordered_like(const TensorMeta& t, const TensorMeta& argument);
/// A dim of more than one element has stride 0.
bool has_expanded_dim(const TensorMeta& t);
/// Where elements that follow each other lie apart: `its rows of 4 elements lie 8 apart`; empty for dense memory.
std::string gap_of(const TensorMeta& t);
std::vector<int64_t> without_ones(const TensorMeta& t);

}  // namespace ersatz::tools
