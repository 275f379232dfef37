// `resize_`, `resize_as_`: new sizes in place; the storage grows if they need more memory.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/resize.h"

namespace ersatz::op_resize {

/// Returns `self` with those sizes, row-major unless a format is given. If the sizes are equal and no format is given,
/// nothing changes, not even the strides. Memory keeps its contents; new memory is not initialised.
/// [resize_.C1] no size is negative.
/// [resize_.C2] the format supports the new rank and is not `preserve`.
inline constexpr TypedSchema kResizeInplace{
    "aten::resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)"};
/// Resizes to the sizes of a tensor of any dtype and device. `preserve` means the format that the template's strides
/// suggest.
/// [resize_as_.C2] the format supports the new rank.
inline constexpr TypedSchema kResizeAsInplace{
    "aten::resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor(a!)"};
/// The functional forms resize a copy.
inline constexpr Schema kResize{
    "aten::resize(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr Schema kResizeAs{
    "aten::resize_as(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr Schemas kEach{kResizeInplace, kResizeAsInplace};

}  // namespace ersatz::op_resize
