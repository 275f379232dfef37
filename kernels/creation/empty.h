// Tensors with uninitialised elements.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

/// [empty.C1] no negative size.
/// [empty.C2] a rank that the memory format has, and not `preserve`.
Tensor empty(std::span<const SymInt> size, const FactoryOptions& options = {},
             std::optional<MemoryFormat> memory_format = std::nullopt);
/// [empty_strided.C1] nothing negative.
/// [empty_strided.C2] as many strides as sizes.
Tensor empty_strided(std::span<const SymInt> size, std::span<const SymInt> stride, const FactoryOptions& options = {});
/// Dense, with the dims in memory in the order of `physical_layout`, outermost first.
/// [empty_permuted.C1] no negative size.
/// [empty_permuted.C4] each dim once.
Tensor empty_permuted(std::span<const SymInt> size, std::span<const SymInt> physical_layout,
                      const FactoryOptions& options = {});
/// Sizes of `self`; its layout too, as `clone` would keep it, unless a format is asked for.
/// [empty_like.C2] a rank that the memory format has.
Tensor empty_like(const Tensor& self, const FactoryOptions& options = {},
                  std::optional<MemoryFormat> memory_format = std::nullopt);
/// Dtype and device of `self`.
Tensor new_empty(const Tensor& self, std::span<const SymInt> size, const FactoryOptions& options = {});
Tensor new_empty_strided(const Tensor& self, std::span<const SymInt> size, std::span<const SymInt> stride,
                         const FactoryOptions& options = {});

}  // namespace ersatz::ops
