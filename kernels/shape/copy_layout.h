// The layout of a copy that keeps sizes: what a `memory_format` argument asks for.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

/// Row-major or channels-last strides for `sizes`. A rank that the format does not have is refused under `label`, and
/// so is `preserve`, which says nothing without a tensor.
DimVec format_strides(const RuleCall& call, std::span<const SymInt> sizes, MemoryFormat format, std::string_view label);
/// Strides of a copy of `from`. `format` None or `preserve`: the same where non-overlapping and dense, else dense ones
/// in the same order.
DimVec copy_strides(const RuleCall& call, const TensorMeta& from, const Value& format, std::string_view label);

}  // namespace ersatz
