// Tensors filled with one value: `zeros`, `ones`, `full`, their `*_like` and `new_*` forms, `scalar_tensor`.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/value.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

/// The dtype, unless given, is that of the number: i64 for an int, the default dtype for a float.
/// [full.C1] no negative size.
/// [full.C2] a number that fits the dtype.
Tensor full(std::span<const SymInt> size, const Scalar& fill_value, const FactoryOptions& options = {});
/// [zeros.C1] [ones.C1] no negative size.
Tensor zeros(std::span<const SymInt> size, const FactoryOptions& options = {});
Tensor ones(std::span<const SymInt> size, const FactoryOptions& options = {});
/// Sizes of `self`; its layout too, as `clone` would keep it, unless a format is asked for.
/// [full_like.C2] a number that fits the dtype.
/// [full_like.C3] a rank that the memory format has.
Tensor full_like(const Tensor& self, const Scalar& fill_value, const FactoryOptions& options = {},
                 std::optional<MemoryFormat> memory_format = std::nullopt);
Tensor zeros_like(const Tensor& self, const FactoryOptions& options = {},
                  std::optional<MemoryFormat> memory_format = std::nullopt);
Tensor ones_like(const Tensor& self, const FactoryOptions& options = {},
                 std::optional<MemoryFormat> memory_format = std::nullopt);
/// Dtype and device of `self`.
Tensor new_full(const Tensor& self, std::span<const SymInt> size, const Scalar& fill_value,
                const FactoryOptions& options = {});
Tensor new_zeros(const Tensor& self, std::span<const SymInt> size, const FactoryOptions& options = {});
Tensor new_ones(const Tensor& self, std::span<const SymInt> size, const FactoryOptions& options = {});
/// A 0-d tensor; the default dtype unless given.
/// [scalar_tensor.C2] a number that fits the dtype.
Tensor scalar_tensor(const Scalar& s, const FactoryOptions& options = {});

}  // namespace ersatz::ops
