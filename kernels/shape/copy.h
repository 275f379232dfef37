// Copying into a tensor, and to another dtype, device or memory format: `copy_`, `_to_copy`, `to`.
#pragma once

#include <optional>

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

/// Writes `src` into `self`, converted and broadcast; `self` keeps its dtype, device and layout.
/// [copy_.C1] src broadcasts to the sizes of self.
/// [copy_.C2] no two elements of self share memory.
/// [copy_.C3] src and self are on disjoint memory, or the same elements.
Tensor copy_(const Tensor& self, const Tensor& src, bool non_blocking = false);

/// What a copy is to become; what is left out stays as it is.
struct ToOptions {
  std::optional<DType> dtype;
  std::optional<Device> device;
  std::optional<MemoryFormat> memory_format;
  bool non_blocking = false;
  bool copy = false;  ///< copy even where nothing changes
};
/// A copy, always.
/// [_to_copy.C1] a rank that the format has.
Tensor to_copy(const Tensor& self, const ToOptions& options);
/// `self` itself where it is so already, else a copy.
Tensor to(const Tensor& self, const ToOptions& options);
Tensor to(const Tensor& self, DType dtype);
Tensor to(const Tensor& self, Device device);
/// With the dtype and on the device of `other`: `self` itself where it is so already, else a copy.
Tensor type_as(const Tensor& self, const Tensor& other);

}  // namespace ersatz::ops
