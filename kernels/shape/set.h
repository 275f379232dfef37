// A tensor put on another tensor's storage, in place: `set_`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/set.h"

namespace ersatz::op_set {

/// `self` itself becomes a tensor of sizes [0] on a new, empty storage.
inline constexpr TypedSchema kSetInplace{"aten::set_(Tensor(a!) self) -> Tensor(a!)"};
/// `self` itself, which keeps its dtype, with the storage of `source` and its sizes, strides and offset in elements.
/// [set_.C1] one device.
/// [set_.C4] where `self` has the sizes and strides already, the storage of `source` has room for elements of that
/// dtype; else the storage grows.
inline constexpr TypedSchema kSetInplaceSourceTensor{
    "aten::set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)"};
/// The same with any geometry; row-major where no strides are given. The storage grows where that needs more.
/// [set_.C2] a dense row-major source.
/// [set_.C3] nothing negative, as many strides as sizes.
inline constexpr TypedSchema kSetInplaceSourceTensorStorageOffset{
    "aten::set_.source_Tensor_storage_offset(Tensor(a!) self, Tensor source, SymInt storage_offset, SymInt[] size, "
    "SymInt[] stride=[]) -> Tensor(a!)"};
/// What these make of a copy: the copy's own storage is gone, the result is on that of `source`.
inline constexpr Schema kSet{"aten::set(Tensor self) -> Tensor"};
inline constexpr Schema kSetSourceTensor{"aten::set.source_Tensor(Tensor self, Tensor source) -> Tensor"};

}  // namespace ersatz::op_set
