// Tensors with uninitialised elements.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_empty {

inline constexpr Schema kEmptyMemoryFormat{
    "aten::empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr Schema kEmptyOut{
    "aten::empty.out(SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kEmptyStrided{
    "aten::empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor"};
inline constexpr Schema kEmptyStridedOut{
    "aten::empty_strided.out(SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kEmptyPermuted{
    "aten::empty_permuted(SymInt[] size, int[] physical_layout, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None) -> Tensor"};
inline constexpr Schema kEmptyPermutedOut{
    "aten::empty_permuted.out(SymInt[] size, int[] physical_layout, *, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kEmptyLike{
    "aten::empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr Schema kEmptyLikeOut{
    "aten::empty_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kNewEmpty{
    "aten::new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> Tensor"};
inline constexpr Schema kNewEmptyOut{
    "aten::new_empty.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kNewEmptyStrided{
    "aten::new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? "
    "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
inline constexpr Schema kNewEmptyStridedOut{
    "aten::new_empty_strided.out(Tensor self, SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!)"};

}  // namespace ersatz::op_empty

namespace ersatz::ops {

/// [empty.C1] no negative size.
/// [empty.C2] a rank that the memory format has, and not `preserve`.
Tensor empty(std::span<const SymInt> size, const FactoryOptions& options = {},
             std::optional<MemoryFormat> memory_format = std::nullopt);
/// [empty_strided.C1] nothing negative.
/// [empty_strided.C2] as many strides as sizes.
Tensor empty_strided(std::span<const SymInt> size, std::span<const SymInt> stride, const FactoryOptions& options = {});
/// Dense, with the dims in memory in the order of `physical_layout`, outermost first.
/// [empty_permuted.C1] no negative size.
/// [empty_permuted.C4] each dim once.
Tensor empty_permuted(std::span<const SymInt> size, std::span<const SymInt> physical_layout,
                      const FactoryOptions& options = {});
/// Sizes of `self`; its layout too, as `clone` would keep it, unless a format is asked for.
/// [empty_like.C2] a rank that the memory format has.
Tensor empty_like(const Tensor& self, const FactoryOptions& options = {},
                  std::optional<MemoryFormat> memory_format = std::nullopt);
/// Dtype and device of `self`.
Tensor new_empty(const Tensor& self, std::span<const SymInt> size, const FactoryOptions& options = {});
Tensor new_empty_strided(const Tensor& self, std::span<const SymInt> size, std::span<const SymInt> stride,
                         const FactoryOptions& options = {});

}  // namespace ersatz::ops
