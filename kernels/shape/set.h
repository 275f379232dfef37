// `set_`: puts a tensor on another tensor's storage, in place.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/set.h"

namespace ersatz::op_set {

/// Makes `self` a tensor of sizes [0] on a new, empty storage.
inline constexpr TypedSchema kSetInplace{"aten::set_(Tensor(a!) self) -> Tensor(a!)"};
/// Gives `self`, which keeps its dtype, the storage of `source` and its sizes, strides and offset in elements.
/// [set_.C1] both are on one device.
/// [set_.C4] if `self` has the sizes and strides of `source` already, the storage of `source` has enough bytes for
///           elements of self's dtype. Otherwise the storage grows.
inline constexpr TypedSchema kSetInplaceSourceTensor{
    "aten::set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)"};
/// set_ with any sizes, strides and offset; row-major without strides. The storage grows if needed.
/// [set_.C2] source is dense and row-major.
/// [set_.C3] no number is negative, and size and stride have equal lengths.
inline constexpr TypedSchema kSetInplaceSourceTensorStorageOffset{
    "aten::set_.source_Tensor_storage_offset(Tensor(a!) self, Tensor source, SymInt storage_offset, SymInt[] size, "
    "SymInt[] stride=[]) -> Tensor(a!)"};
/// Functional forms: they apply set_ to a copy, so the result is on the storage of `source`.
inline constexpr Schema kSet{"aten::set(Tensor self) -> Tensor"};
inline constexpr Schema kSetSourceTensor{"aten::set.source_Tensor(Tensor self, Tensor source) -> Tensor"};

}  // namespace ersatz::op_set
