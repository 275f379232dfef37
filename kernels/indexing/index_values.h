// The elements of an index tensor as int64 in row-major order, each checked against the size of a dim.
#pragma once

#include <string>
#include <vector>

#include "runtime/op/kernel.h"

namespace ersatz {

/// The row-major int64 elements of an index tensor. They are the tensor's own memory if it is row-major i64, else a
/// copy.
class IndexValues {
 public:
  explicit IndexValues(const Tensor& index);
  operator std::span<const int64_t>() const { return values_; }
  size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  const int64_t* begin() const { return values_.data(); }
  const int64_t* end() const { return values_.data() + values_.size(); }
  int64_t operator[](size_t i) const { return values_[i]; }

 private:
  Tensor dense_;
  std::span<const int64_t> values_;
};

/// Returns the error text for an index out of range. `position` is -1 if it is unknown.
std::string index_words(int64_t index, int64_t position, int64_t size);

/// Returns the elements of an i32 or i64 CPU tensor. RAISES: an error with `value_failure`, of class `family`, for an
/// element outside of [0, size).
IndexValues checked_indices(const KernelCall& call, const Tensor& index, int64_t size, ErrorFamily family);
/// Returns the elements of an index, which are in [-size, size), as numbers in [0, size): negative ones count from the
/// end.
std::vector<int64_t> wrapped_indices(const KernelCall& call, const Tensor& index, int64_t size, ErrorFamily family);

}  // namespace ersatz
