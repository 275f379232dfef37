// Makes f64 copies of the tensors of a call or run, as inputs of a reference run. The copies share storage as the
// originals do.
#pragma once

#include <map>
#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

/// Returns f64 for floating-point dtypes, c128 for complex dtypes, else `t`.
DType wide_dtype(DType t);

class WideCopies {
 public:
  /// Returns a copy of `t` on a copy of its whole storage, because an op may read elements outside `t` (`as_strided`).
  /// Copies of tensors with one storage and dtype share a storage. REQUIRES: a real tensor on the CPU.
  Tensor of(const Tensor& t);
  /// Returns `values` with all tensors copied, including those in lists, and each dtype widened. Integer tensors are
  /// copied without a change of dtype, because a call may write them.
  std::vector<Value> of(std::span<const Value> values);

 private:
  std::map<std::pair<const Storage*, DType>, Tensor> storages_;
};

}  // namespace ersatz
