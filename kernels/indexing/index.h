// Reads and writes by tensors of indices: `x[i, j]`.
#pragma once

#include <optional>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_index {

inline constexpr Schema kIndexPut{
    "aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor"};
inline constexpr Schema kUnsafeIndexPut{
    "aten::_unsafe_index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor"};
inline constexpr Schema kIndexPutInplace{
    "aten::index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)"};
inline constexpr Schema kIndexPutImplInplace{
    "aten::_index_put_impl_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False, bool "
    "unsafe=False) -> Tensor(a!)"};
inline constexpr Schema kIndexTensor{"aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor"};
inline constexpr Schema kIndexTensorOut{
    "aten::index.Tensor_out(Tensor self, Tensor?[] indices, *, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kUnsafeIndexTensor{"aten::_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor"};
inline constexpr Schemas kWrites{kIndexPut, kUnsafeIndexPut, kIndexPutInplace, kIndexPutImplInplace};
inline constexpr Schemas kMasked{kIndexTensor, kIndexTensorOut};
inline constexpr Schemas kReads{kIndexTensor, kIndexTensorOut, kUnsafeIndexTensor};

}  // namespace ersatz::op_index

namespace ersatz::ops {

using Indices = std::span<const std::optional<Tensor>>;

/// Returns the elements that the indices select. None keeps a dim. A bool tensor is a mask
/// (kernels/indexing/index_plan.h). Negative indices count from the end. With a mask, the sizes of the result depend on
/// data.
/// [index.C1] indices have dtype bool, u8, i32 or i64 (else IndexError).
/// [index.C2] at least one dim is indexed, and at most as many as self has (else IndexError).
/// [index.C3] a mask has the sizes of the dims that it indexes (else IndexError).
/// [index.C4] indices broadcast to each other (else IndexError).
/// [index.C5] an indexed dim has no size 0, unless its index is empty (else IndexError).
/// [index.device] indices are on the CPU or on self's device.
/// Values: each index is in [-size, size) (else IndexError).
Tensor index(const Tensor& self, Indices indices);
/// Returns a copy of `self` with `values` written at the indices, or added if `accumulate`. If several values have the
/// same index, the element keeps any one of them. On CUDA, floats are added in any order. In deterministic mode
/// (RuleContext), the CPU's order is used, and the element keeps the last value.
/// [index_put.C1] to [index_put.C5] and [index_put.device] are those of `index`; values may also be a 0-d CPU tensor.
/// [index_put.C6] values have self's dtype. If the list has one mask and values has one element on the CPU, the value
/// is converted as in `masked_fill`; the mask must then be bool.
/// [index_put.C7] values broadcast to the selected sizes.
Tensor index_put(const Tensor& self, Indices indices, const Tensor& values, bool accumulate = false);
/// Writes to `self` as index_put does, and returns `self`.
/// [index_put_.C8] neither the indices nor the values share memory with self.
Tensor index_put_(const Tensor& self, Indices indices, const Tensor& values, bool accumulate = false);

}  // namespace ersatz::ops
