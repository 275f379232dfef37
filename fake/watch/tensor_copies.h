// Copies of tensors that share storage as the originals do: each tensor and each storage is copied once.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

class TensorCopies {
 public:
  /// The copies are on `device`, or on their originals' devices without one. With `bytes` false their elements are
  /// uninitialised.
  explicit TensorCopies(std::optional<Device> device = {}, bool bytes = true) : device_(device), bytes_(bytes) {}

  /// Returns the copy of `t`, with equal metadata including strides and offset. REQUIRES: a real tensor.
  Tensor of(const Tensor& t);
  /// Returns `values` with their tensors copied, those in lists too. With a `device`, Device arguments become that
  /// device, except `meta`.
  std::vector<Value> of(std::span<const Value> values);

 private:
  std::optional<Device> device_;
  bool bytes_;
  std::unordered_map<const TensorImpl*, Tensor> tensors_;
  std::unordered_map<const Storage*, Ref<Storage>> storages_;
};

/// Returns a copy of the tensor's elements on the CPU if it is on CUDA, else `t`.
Tensor on_host(const Tensor& t);

}  // namespace ersatz
