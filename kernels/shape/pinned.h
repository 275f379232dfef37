// Ops about memory that ersatz does not have: pinned host memory, and `_resize_output` on a given device.
//
// Memory is never pinned here, and a fake does not know whether memory is pinned. The ops are registered so that the
// error names them: `NYI: aten._pin_memory.default` (NotSupported).
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/shape/pinned.h"

namespace ersatz::op_pinned {

/// [pin_memory.NYI] is always raised.
inline constexpr TypedSchema kPinMemory{"aten::pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)"};
inline constexpr Schema kPinMemoryCopy{"aten::_pin_memory(Tensor self, Device? device=None) -> Tensor"};
inline constexpr Schema kIsPinned{"aten::is_pinned(Tensor self, Device? device=None) -> bool"};
inline constexpr Schema kResizeOutputInplace{
    "aten::_resize_output_(Tensor(a!) self, SymInt[] size, Device device) -> Tensor(a!)"};
inline constexpr Schema kResizeOutput{"aten::_resize_output(Tensor self, SymInt[] size, Device device) -> Tensor"};

}  // namespace ersatz::op_pinned
