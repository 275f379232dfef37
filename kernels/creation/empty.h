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
/// [empty_strided.C1] nothing negative.
/// [empty_strided.C2] as many strides as sizes.
inline constexpr TypedSchema kEmptyStrided{
    "aten::empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor"};
/// Dense, with the dims in memory in the order of `physical_layout`, outermost first.
/// [empty_permuted.C1] no negative size.
/// [empty_permuted.C4] each dim once.
inline constexpr TypedSchema kEmptyPermuted{
    "aten::empty_permuted(SymInt[] size, int[] physical_layout, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None) -> Tensor"};
/// Sizes of `self`; its layout too, as `clone` would keep it, unless a format is asked for.
/// [empty_like.C2] a rank that the memory format has.
inline constexpr TypedSchema kEmptyLike{
    "aten::empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
/// Dtype and device of `self`.
inline constexpr TypedSchema kNewEmpty{
    "aten::new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> Tensor"};
inline constexpr TypedSchema kNewEmptyStrided{
    "aten::new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? "
    "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};

}  // namespace ersatz::op_empty
