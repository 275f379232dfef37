// Tensors filled with one value: `zeros`, `ones`, `full`, their `*_like` and `new_*` forms, `scalar_tensor`.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/creation/full.h"

namespace ersatz::op_full {

/// [zeros.C1] [ones.C1] no negative size.
inline constexpr TypedSchema kZeros{
    "aten::zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
/// Zeros. PyTorch allocates no memory for them; here they have memory. `pin_memory` is ignored.
inline constexpr Schema kEfficientZeroTensor{
    "aten::_efficientzerotensor(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> Tensor"};
inline constexpr TypedSchema kOnes{
    "aten::ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
/// The default dtype is that of the number: i64 for an int, the context's default dtype for a float.
/// [full.C1] no negative size.
/// [full.C2] a number that fits the dtype.
inline constexpr TypedSchema kFull{
    "aten::full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> Tensor"};
/// A 0-d tensor, by default of the context's default dtype.
/// [scalar_tensor.C2] a number that fits the dtype.
inline constexpr TypedSchema kScalarTensor{
    "aten::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
inline constexpr TypedSchema kZerosLike{
    "aten::zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr TypedSchema kOnesLike{
    "aten::ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
/// The sizes of `self`, in the layout of `clone` unless a format is given.
/// [full_like.C2] a number that fits the dtype.
/// [full_like.C3] the memory format supports the rank.
inline constexpr TypedSchema kFullLike{
    "aten::full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr TypedSchema kNewZeros{
    "aten::new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> Tensor"};
inline constexpr TypedSchema kNewOnes{
    "aten::new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> Tensor"};
/// Dtype and device default to those of `self`.
inline constexpr TypedSchema kNewFull{
    "aten::new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None) -> Tensor"};

}  // namespace ersatz::op_full
