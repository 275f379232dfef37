// Any sizes, strides and offset on a tensor's storage.
#pragma once

#include <optional>

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

/// The offset is the storage's, not the input's; without one the input's offset stays.
/// [as_strided.C1] as many strides as sizes.
/// [as_strided.C2] nothing negative.
/// [as_strided.C3] the last element lies within the storage (checked where all of it is plain integers).
Tensor as_strided(const Tensor& self, std::span<const SymInt> size, std::span<const SymInt> stride,
                  std::optional<SymInt> storage_offset = std::nullopt);
/// `self` itself with that geometry.
Tensor as_strided_(const Tensor& self, std::span<const SymInt> size, std::span<const SymInt> stride,
                   std::optional<SymInt> storage_offset = std::nullopt);

}  // namespace ersatz::ops
