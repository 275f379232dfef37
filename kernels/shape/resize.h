// A tensor given other sizes in place, its storage grown where they need more: `resize_`, `resize_as_`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/resize.h"

namespace ersatz::op_resize {

/// `self` itself with those sizes, row-major unless a format is asked for; unchanged, strides too, where the sizes are
/// the same already and no format is asked for. Elements that were there stay; new ones are not initialised.
/// [resize_.C1] no negative size.
/// [resize_.C2] a rank that the format has, and not `preserve`.
inline constexpr TypedSchema kResizeInplace{
    "aten::resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)"};
/// The sizes of another tensor, of any dtype, on any device. `preserve` means the format that the template looks like.
/// [resize_as_.C2] a rank that the format has.
inline constexpr TypedSchema kResizeAsInplace{
    "aten::resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor(a!)"};
/// The same of a copy.
inline constexpr Schema kResize{
    "aten::resize(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr Schema kResizeAs{
    "aten::resize_as(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr Schemas kEach{kResizeInplace, kResizeAsInplace};

}  // namespace ersatz::op_resize
