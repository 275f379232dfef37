// Calls ops that are found by their tags (runtime/op/slice_tags.h), because files in tracer/ may not name ops.
#pragma once

#include <optional>
#include <span>

#include "runtime/op/value.h"

namespace ersatz {

/// Returns a copy of a tensor, with equal metadata. Any other value is returned as it is.
Value clone_of(const Value& v);
/// Returns a row-major copy of a tensor.
Value row_major_copy(const Value& tensor);
/// Returns the view tensor[index] of dim 0.
Value slice_of(const Value& tensor, const SymInt& index);
/// Stacks tensors of equal size along a new dim 0. If the values are no tensors, returns the first one.
Value stack_of(std::span<const Value> slices);
/// Returns row-major zeros of these sizes with the tensor's dtype and device.
Value zeros_like(const Value& tensor, const DimVec& sizes);
/// Returns a tensor with the metadata of `v` in new memory that is not written. If `v` is no tensor, returns `v`.
Value unknown_like(const Value& v);
/// Returns the truth of a predicate, which is a number or a tensor with one element. nullopt if its data is missing.
std::optional<bool> truth_of(const Value& pred);

}  // namespace ersatz
