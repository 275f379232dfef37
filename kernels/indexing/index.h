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

/// The elements that the indices select: None keeps a dim, bool tensors are masks (kernels/indexing/index_plan.h).
/// Negative indices count from the end. With a mask the size of the result depends on data.
/// [index.C1] indices of dtype bool, u8, i32 or i64 (index error).
/// [index.C2] at most as many indexed dims as self has (index error), and at least one.
/// [index.C3] masks have the sizes of the dims that they replace (index error).
/// [index.C4] indices that broadcast (index error).
/// [index.C5] no index into a dim of size 0 (index error).
/// [index.device] indices on the CPU or on self's device.
/// Values: each index is in [-size, size) (index error).
Tensor index(const Tensor& self, Indices indices);
/// A copy of `self` with `values` at the indices, added if `accumulate`. If several values have one element, any of
/// them may be kept. On CUDA floats are added in any order. In deterministic mode (RuleContext) the CPU's order is
/// used, and the last value is kept.
/// [index_put.C1] to [index_put.C5], [index_put.device] as for `index`; values may be a 0-d CPU tensor.
/// [index_put.C6] values have self's dtype. A single value on the CPU for a single mask is converted, as in
///                `masked_fill`; the mask must then be bool.
/// [index_put.C7] values broadcast to the selected sizes.
Tensor index_put(const Tensor& self, Indices indices, const Tensor& values, bool accumulate = false);
/// Writes to `self` and returns it.
/// [index_put_.C8] neither the indices nor the values share memory with self.
Tensor index_put_(const Tensor& self, Indices indices, const Tensor& values, bool accumulate = false);

}  // namespace ersatz::ops
