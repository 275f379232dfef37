// Tensors filled with one value: `zeros`, `ones`, `full`, their `*_like` and `new_*` forms, `scalar_tensor`.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/schema_literal.h"
#include "runtime/op/value.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_full {

inline constexpr Schema kZeros{
    "aten::zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
inline constexpr Schema kZerosOut{"aten::zeros.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kOnes{
    "aten::ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
inline constexpr Schema kOnesOut{"aten::ones.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kFull{
    "aten::full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> Tensor"};
inline constexpr Schema kFullOut{"aten::full.out(SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kScalarTensor{
    "aten::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
inline constexpr Schema kScalarTensorOut{"aten::scalar_tensor.out(Scalar s, *, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kZerosLike{
    "aten::zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr Schema kZerosLikeOut{
    "aten::zeros_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kOnesLike{
    "aten::ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr Schema kOnesLikeOut{
    "aten::ones_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kFullLike{
    "aten::full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr Schema kFullLikeOut{
    "aten::full_like.out(Tensor self, Scalar fill_value, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
    "Tensor(a!)"};
inline constexpr Schema kNewZeros{
    "aten::new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> Tensor"};
inline constexpr Schema kNewZerosOut{
    "aten::new_zeros.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kNewOnes{
    "aten::new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> Tensor"};
inline constexpr Schema kNewOnesOut{"aten::new_ones.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kNewFull{
    "aten::new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None) -> Tensor"};
inline constexpr Schema kNewFullOut{
    "aten::new_full.out(Tensor self, SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)"};

}  // namespace ersatz::op_full

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
