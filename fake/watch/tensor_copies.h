// Copies tensors so that the copies share storage as the originals do: each tensor and each storage is copied once.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

class TensorCopies {
 public:
  /// The copies are on `device`; if it is nullopt, each is on its original's device. If `bytes` is false, their
  /// elements are uninitialised. If `autograd` is false, they have no `.grad` and no base, for calls that autograd does
  /// not record.
  explicit TensorCopies(std::optional<Device> device = {}, bool bytes = true, bool autograd = true)
      : device_(device), bytes_(bytes), autograd_(autograd) {}

  /// Returns the copy of `t`, with equal metadata including strides and offset. The copy of a leaf is a leaf and has a
  /// copy of `.grad`; the copy of a view is a view. The copy of a tensor with a grad_fn requires a gradient too, but
  /// its backward raises an error, because the graph is not copied. REQUIRES: `t` is real.
  Tensor of(const Tensor& t);
  /// Returns `values` with all tensors copied, including those in lists. If the constructor got a `device`, Device
  /// arguments become that device, except `meta`.
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
