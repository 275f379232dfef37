// Tensors filled with one value: `zeros`, `ones`, `full`, their `*_like` and `new_*` variants, and `scalar_tensor`.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/creation/full.h"

namespace ersatz::op_full {

/// [zeros.C1] [ones.C1] no size is negative.
inline constexpr TypedSchema kZeros{
    "aten::zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
/// Returns zeros. PyTorch allocates no memory for them, but ersatz does. `pin_memory` is ignored.
inline constexpr Schema kEfficientZeroTensor{
    "aten::_efficientzerotensor(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> Tensor"};
inline constexpr TypedSchema kOnes{
    "aten::ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
/// The default dtype is that of fill_value: i64 for an int, the context's default dtype for a float.
/// [full.C1] no size is negative.
/// [full.C2] fill_value fits the dtype.
inline constexpr TypedSchema kFull{
    "aten::full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> Tensor"};
/// Returns a 0-d tensor. The default dtype is the context's.
/// [scalar_tensor.C2] the number fits the dtype.
inline constexpr TypedSchema kScalarTensor{
    "aten::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
inline constexpr TypedSchema kZerosLike{
    "aten::zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr TypedSchema kOnesLike{
    "aten::ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
/// Returns a tensor with the sizes of `self`. Its strides are those of `clone(self)`, unless a memory format is given.
/// [full_like.C2] fill_value fits the dtype.
/// [full_like.C3] the memory format supports the rank of self.
inline constexpr TypedSchema kFullLike{
    "aten::full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr TypedSchema kNewZeros{
    "aten::new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> Tensor"};
inline constexpr TypedSchema kNewOnes{
    "aten::new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> Tensor"};
/// Returns a tensor of `size` whose dtype and device default to those of `self`.
inline constexpr TypedSchema kNewFull{
    "aten::new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None) -> Tensor"};

}  // namespace ersatz::op_full
