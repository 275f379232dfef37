// `set_`: gives a tensor the storage of another tensor, in place.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/set.h"

namespace ersatz::op_set {

/// Gives `self` sizes [0] and a new, empty storage.
inline constexpr TypedSchema kSetInplace{"aten::set_(Tensor(a!) self) -> Tensor(a!)"};
/// Gives `self` the storage, sizes, strides and offset of `source`. The dtype of self does not change; the offset
/// counts elements.
/// [set_.C1] self and source are on one device.
/// [set_.C4] if self has the sizes and strides of source already, source's storage has enough bytes for elements of
///           self's dtype. If sizes or strides differ, the storage grows instead.
inline constexpr TypedSchema kSetInplaceSourceTensor{
    "aten::set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)"};
/// Works like set_ with the given sizes, strides and offset; without strides, self becomes row-major. The storage grows
/// if it is too small.
/// [set_.C2] source is dense and row-major.
/// [set_.C3] no number is negative, and size and stride have equal lengths.
inline constexpr TypedSchema kSetInplaceSourceTensorStorageOffset{
    "aten::set_.source_Tensor_storage_offset(Tensor(a!) self, Tensor source, SymInt storage_offset, SymInt[] size, "
    "SymInt[] stride=[]) -> Tensor(a!)"};
/// The functional forms apply set_ to a copy of self, so the result is on the storage of `source`.
inline constexpr Schema kSet{"aten::set(Tensor self) -> Tensor"};
inline constexpr Schema kSetSourceTensor{"aten::set.source_Tensor(Tensor self, Tensor source) -> Tensor"};

}  // namespace ersatz::op_set
