// A tensor given other sizes in place, its storage grown where they need more: `resize_`, `resize_as_`.
#pragma once

#include <optional>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_resize {

inline constexpr Schema kResizeInplace{
    "aten::resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)"};
inline constexpr Schema kResizeAsInplace{
    "aten::resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor(a!)"};
inline constexpr Schemas kEach{kResizeInplace, kResizeAsInplace};

}  // namespace ersatz::op_resize

namespace ersatz::ops {

/// `self` itself with those sizes, row-major unless a format is asked for; unchanged, strides too, where the sizes are
/// the same already and no format is asked for. Elements that were there stay; new ones are not initialised.
/// [resize_.C1] no negative size.
/// [resize_.C2] a rank that the format has, and not `preserve`.
Tensor resize_(const Tensor& self, std::span<const SymInt> size,
               std::optional<MemoryFormat> memory_format = std::nullopt);
/// The sizes of another tensor, of any dtype, on any device. `preserve` means the format that the template looks like.
/// [resize_as_.C2] a rank that the format has.
Tensor resize_as_(const Tensor& self, const Tensor& the_template,
                  std::optional<MemoryFormat> memory_format = std::nullopt);

}  // namespace ersatz::ops
