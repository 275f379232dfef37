// Copies of tensors in f64 that share storage like their originals: the inputs of a reference run.
#pragma once

#include <map>
#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

/// Returns f64 for floating-point dtypes, c128 for complex ones; other dtypes are unchanged.
DType wide_dtype(DType t);

class WideCopies {
 public:
  /// With its whole storage: an op may read elements that the tensor itself does not have (`as_strided`). Tensors of
  /// one storage and dtype share one here. REQUIRES: a real tensor on the CPU.
  Tensor of(const Tensor& t);
  /// The values with their tensors copied, those in lists too, and each dtype among them made wide. Integers are copied
  /// as they are: a call may write them.
  std::vector<Value> of(std::span<const Value> values);

 private:
  std::map<std::pair<const Storage*, DType>, Tensor> storages_;
};

}  // namespace ersatz
