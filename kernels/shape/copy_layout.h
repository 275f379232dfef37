// Functions that return the strides of a copy, for operators with an argument `memory_format`.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

/// Returns row-major or channels-last strides for `sizes`. Refuses, under `label`, a rank that the format does not
/// support, and `preserve`, which needs a tensor's strides.
DimVec format_strides(const RuleCall& call, std::span<const SymInt> sizes, MemoryFormat format, std::string_view label);
/// Returns the strides of a copy of `from`. If `format` is None or `preserve`, the copy of a non-overlapping and dense
/// `from` has from's strides. The copy of any other `from` has dense strides in the order of from's strides.
DimVec copy_strides(const RuleCall& call, const TensorMeta& from, const Value& format, std::string_view label);

}  // namespace ersatz
