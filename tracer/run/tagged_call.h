// Calls of ops that the tracer may not name, by what their tags say they do (runtime/op/slice_tags.h).
#pragma once

#include <optional>
#include <span>

#include "runtime/op/value.h"

namespace ersatz {

/// A copy with the same metadata; of what is no tensor the value itself.
Value clone_of(const Value& v);
/// A row-major copy of a tensor.
Value row_major_copy(const Value& tensor);
/// The view of a tensor at that index of dim 0.
Value slice_of(const Value& tensor, const SymInt& index);
/// Tensors of one size as the slices of another's dim 0; of what is no tensor the first value.
Value stack_of(std::span<const Value> slices);
/// Row-major zeros of these sizes with the tensor's dtype and device.
Value zeros_like(const Value& tensor, const DimVec& sizes);
/// A tensor with the same metadata in new memory that nothing has written; a value that is no tensor comes back itself.
Value unknown_like(const Value& v);
/// Whether a predicate holds, a number or a tensor with one element; none where the data are not there.
std::optional<bool> truth_of(const Value& pred);

}  // namespace ersatz
