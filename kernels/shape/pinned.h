// Ops about pinned host memory, which ersatz does not have, and `_resize_output` on a given device.
//
// The ops are registered and always refuse, so that the error names the op: `NYI: aten._pin_memory.default`
// (NotSupported). A fake tensor could not know whether its memory is pinned.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/shape/pinned.h"

namespace ersatz::op_pinned {

/// [pin_memory.NYI] every call is refused with this label.
inline constexpr TypedSchema kPinMemory{"aten::pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)"};
inline constexpr Schema kPinMemoryCopy{"aten::_pin_memory(Tensor self, Device? device=None) -> Tensor"};
inline constexpr Schema kIsPinned{"aten::is_pinned(Tensor self, Device? device=None) -> bool"};
inline constexpr Schema kResizeOutputInplace{
    "aten::_resize_output_(Tensor(a!) self, SymInt[] size, Device device) -> Tensor(a!)"};
inline constexpr Schema kResizeOutput{"aten::_resize_output(Tensor self, SymInt[] size, Device device) -> Tensor"};

}  // namespace ersatz::op_pinned
