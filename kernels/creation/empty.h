// Tensors with uninitialised elements.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/typed_schema.h"
#include "typed/creation/empty.h"

namespace ersatz::op_empty {

/// [empty.C1] no negative size.
/// [empty.C2] a rank that the memory format has, and not `preserve`.
inline constexpr TypedSchema kEmptyMemoryFormat{
    "aten::empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr Schema kEmptyOut{
    "aten::empty.out(SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)"};
/// [empty_strided.C1] nothing negative.
/// [empty_strided.C2] as many strides as sizes.
inline constexpr TypedSchema kEmptyStrided{
    "aten::empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor"};
inline constexpr Schema kEmptyStridedOut{
    "aten::empty_strided.out(SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!)"};
/// Dense, with the dims in memory in the order of `physical_layout`, outermost first.
/// [empty_permuted.C1] no negative size.
/// [empty_permuted.C4] each dim once.
inline constexpr TypedSchema kEmptyPermuted{
    "aten::empty_permuted(SymInt[] size, int[] physical_layout, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None) -> Tensor"};
inline constexpr Schema kEmptyPermutedOut{
    "aten::empty_permuted.out(SymInt[] size, int[] physical_layout, *, Tensor(a!) out) -> Tensor(a!)"};
/// Sizes of `self`; its layout too, as `clone` would keep it, unless a format is asked for.
/// [empty_like.C2] a rank that the memory format has.
inline constexpr TypedSchema kEmptyLike{
    "aten::empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr Schema kEmptyLikeOut{
    "aten::empty_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)"};
/// Dtype and device of `self`.
inline constexpr TypedSchema kNewEmpty{
    "aten::new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> Tensor"};
inline constexpr Schema kNewEmptyOut{
    "aten::new_empty.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr TypedSchema kNewEmptyStrided{
    "aten::new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? "
    "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
inline constexpr Schema kNewEmptyStridedOut{
    "aten::new_empty_strided.out(Tensor self, SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!)"};

}  // namespace ersatz::op_empty
