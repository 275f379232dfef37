// The strides of a copy with a `memory_format` argument.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

/// Returns row-major or channels-last strides for `sizes`. Refuses under `label` a rank that the format does not have,
/// and `preserve`, which needs a tensor.
DimVec format_strides(const RuleCall& call, std::span<const SymInt> sizes, MemoryFormat format, std::string_view label);
/// Returns the strides of a copy of `from`. With `format` None or `preserve` these are the strides of `from` if it is
/// non-overlapping and dense, else dense strides in that order.
DimVec copy_strides(const RuleCall& call, const TensorMeta& from, const Value& format, std::string_view label);

}  // namespace ersatz
