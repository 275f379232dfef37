// Copies of tensors with the sharing that they have: one tensor for each, one storage for each.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

class TensorCopies {
 public:
  /// On `device`, else each where it was. Without `bytes` the copies' elements are not initialised.
  explicit TensorCopies(std::optional<Device> device = {}, bool bytes = true) : device_(device), bytes_(bytes) {}

  /// The same metadata, strides and offset included. REQUIRES: a real tensor.
  Tensor of(const Tensor& t);
  /// Arguments with their tensors copied, those in lists too; with a `device`, arguments that name a device name that
  /// one.
  std::vector<Value> of(std::span<const Value> values);

 private:
  std::optional<Device> device_;
  bool bytes_;
  std::unordered_map<const TensorImpl*, Tensor> tensors_;
  std::unordered_map<const Storage*, Ref<Storage>> storages_;
};

/// The tensor where the host can read it: itself on the CPU, else a copy of its bytes there.
Tensor on_host(const Tensor& t);

}  // namespace ersatz
