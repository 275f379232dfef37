// `resize_` and `resize_as_` change the sizes of a tensor in place. The storage grows if it is too small.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/resize.h"

namespace ersatz::op_resize {

/// Gives `self` the sizes `size`: row-major, or in the given format. If the sizes do not change and no format is given,
/// the strides do not change either. The storage keeps its contents; bytes that are added are not initialised.
/// [resize_.C1] no size is negative.
/// [resize_.C2] the format supports the new rank and is not `preserve`.
inline constexpr TypedSchema kResizeInplace{
    "aten::resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)"};
/// Gives `self` the sizes of `the_template`, which may have any dtype and device. The format `preserve` means the
/// format that the template's strides suggest.
/// [resize_as_.C2] the format supports the new rank.
inline constexpr TypedSchema kResizeAsInplace{
    "aten::resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor(a!)"};
/// The functional forms: resize a copy of `self` and return it.
inline constexpr Schema kResize{
    "aten::resize(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr Schema kResizeAs{
    "aten::resize_as(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr Schemas kEach{kResizeInplace, kResizeAsInplace};

}  // namespace ersatz::op_resize
