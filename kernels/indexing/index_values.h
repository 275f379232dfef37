// The values of an index tensor, read once as int64 in row-major order, each checked against a dim.
#pragma once

#include <string>
#include <vector>

#include "runtime/op/kernel.h"

namespace ersatz {

/// Row-major values of an index tensor: its own memory where they lie there as int64, else a copy.
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

/// The words for an index outside of a dim; position -1: not known.
std::string index_words(int64_t index, int64_t position, int64_t size);

/// Of an i32 or i64 CPU tensor. Raises a value failure of that family for one outside [0, size).
IndexValues checked_indices(const KernelCall& call, const Tensor& index, int64_t size, ErrorFamily family);
/// A vector of the same where negative ones count from the end: in [-size, size) they are taken, in [0, size) returned.
std::vector<int64_t> wrapped_indices(const KernelCall& call, const Tensor& index, int64_t size, ErrorFamily family);

}  // namespace ersatz
