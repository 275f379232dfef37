// Any sizes, strides and offset on a tensor's storage.
#pragma once

#include <optional>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_as_strided {

inline constexpr Schema kAsStrided{
    "aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)"};
inline constexpr Schema kAsStridedInplace{
    "aten::as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a!)"};

}  // namespace ersatz::op_as_strided

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
