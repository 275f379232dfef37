// Tensors with uninitialised elements.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/typed_schema.h"
#include "typed/creation/empty.h"

namespace ersatz::op_empty {

/// [empty.C1] no size is negative.
/// [empty.C2] memory_format is not `preserve`, and supports the rank of size.
inline constexpr TypedSchema kEmptyMemoryFormat{
    "aten::empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
/// [empty_strided.C1] no size and no stride is negative.
/// [empty_strided.C2] there are as many strides as sizes.
inline constexpr TypedSchema kEmptyStrided{
    "aten::empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor"};
/// The result is dense. Its dims are in memory in the order of `physical_layout`, the outermost first.
/// [empty_permuted.C1] no size is negative.
/// [empty_permuted.C4] physical_layout contains each dim once.
inline constexpr TypedSchema kEmptyPermuted{
    "aten::empty_permuted(SymInt[] size, int[] physical_layout, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None) -> Tensor"};
/// Returns a tensor with the sizes of `self`. Its strides are those of `clone(self)`, unless a memory format is given.
/// [empty_like.C2] the memory format supports the rank of self.
inline constexpr TypedSchema kEmptyLike{
    "aten::empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"};
/// Returns a tensor of `size` whose dtype and device default to those of `self`.
inline constexpr TypedSchema kNewEmpty{
    "aten::new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> Tensor"};
inline constexpr TypedSchema kNewEmptyStrided{
    "aten::new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? "
    "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};

}  // namespace ersatz::op_empty
