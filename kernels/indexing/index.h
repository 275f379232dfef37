// Elements picked, and written, by tensors of indices: `x[i, j]`.
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

/// What the indices pick: None keeps a dim, bool tensors are masks (kernels/indexing/index_plan.h). Negative indices
/// count from the end. With a mask the size of the result depends on values.
/// [index.C1] indices of dtype bool, u8, i32 or i64 (index error).
/// [index.C2] no more indexed dims than self has (index error), and one at least.
/// [index.C3] masks with the sizes of the dims that they stand for (index error).
/// [index.C4] indices that broadcast (index error).
/// [index.C5] nothing is picked from a dim of size 0 (index error).
/// [index.device] indices on the CPU or on self's device.
/// Values: each index lies in [-size, size) (index error).
Tensor index(const Tensor& self, Indices indices);
/// `self`, copied, with `values` where the indices point; with `accumulate` they are added, else which of several
/// values for one element stays is not determined. On CUDA floats are added in no fixed order; in deterministic mode
/// (RuleContext) they are in that of the CPU, and of several values the last one stays.
/// [index_put.C1] to [index_put.C5], [index_put.device] as for `index`; values may be a 0-d CPU tensor.
/// [index_put.C6] values of self's dtype. One value on the CPU for one mask is converted, as `masked_fill` does; the
///     mask is bool then.
/// [index_put.C7] values broadcast to what the indices pick.
Tensor index_put(const Tensor& self, Indices indices, const Tensor& values, bool accumulate = false);
/// `self` itself.
/// [index_put_.C8] neither the indices nor the values share memory with self.
Tensor index_put_(const Tensor& self, Indices indices, const Tensor& values, bool accumulate = false);

}  // namespace ersatz::ops
