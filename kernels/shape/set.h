// A tensor put on another tensor's storage, in place: `set_`.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_set {

inline constexpr Schema kSetInplace{"aten::set_(Tensor(a!) self) -> Tensor(a!)"};
inline constexpr Schema kSetInplaceSourceTensor{
    "aten::set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)"};
inline constexpr Schema kSetInplaceSourceTensorStorageOffset{
    "aten::set_.source_Tensor_storage_offset(Tensor(a!) self, Tensor source, SymInt storage_offset, SymInt[] size, "
    "SymInt[] stride=[]) -> Tensor(a!)"};

}  // namespace ersatz::op_set

namespace ersatz::ops {

/// `self` itself becomes a tensor of sizes [0] on a new, empty storage.
Tensor set_(const Tensor& self);
/// `self` itself, which keeps its dtype, with the storage of `source` and its sizes, strides and offset in elements.
/// [set_.C1] one device.
Tensor set_(const Tensor& self, const Tensor& source);
/// The same with any geometry; row-major where no strides are given. The storage grows where that needs more.
/// [set_.C2] a dense row-major source.
/// [set_.C3] nothing negative, as many strides as sizes.
Tensor set_(const Tensor& self, const Tensor& source, SymInt storage_offset, std::span<const SymInt> size,
            std::span<const SymInt> stride = {});

}  // namespace ersatz::ops
