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
  /// uninitialised. With `autograd` false copies have no `.grad` and no base: for a call that runs below autograd.
  explicit TensorCopies(std::optional<Device> device = {}, bool bytes = true, bool autograd = true)
      : device_(device), bytes_(bytes), autograd_(autograd) {}

  /// Returns the copy of `t`, with equal metadata including strides and offset. The copy of a leaf is a leaf and has a
  /// copy of `.grad`; a view stays a view. The copy of a computed tensor requires a gradient as its original does, but
  /// backward through it is refused, because the graph is not copied. REQUIRES: a real tensor.
  Tensor of(const Tensor& t);
  /// Returns `values` with their tensors copied, those in lists too. With a `device`, Device arguments become that
  /// device, except `meta`.
  std::vector<Value> of(std::span<const Value> values);

 private:
  std::optional<Device> device_;
  bool bytes_, autograd_;
  std::unordered_map<const TensorImpl*, Tensor> tensors_;
  std::unordered_map<const Storage*, Ref<Storage>> storages_;
};

/// Returns a copy of the tensor's elements on the CPU if it is on CUDA, else `t`.
Tensor on_host(const Tensor& t);

}  // namespace ersatz
