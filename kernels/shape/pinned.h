// Memory of a device's own kind: pinned host memory, and outputs resized on a device given by position.
//
// There is no pinned memory here, and a fake cannot say whether memory is pinned. These ops are known, so that programs
// that hold them are told what is missing: `NYI: aten._pin_memory.default` (NotSupported).
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/shape/pinned.h"

namespace ersatz::op_pinned {

/// [pin_memory.NYI] always.
inline constexpr TypedSchema kPinMemory{"aten::pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)"};
inline constexpr Schema kPinMemoryCopy{"aten::_pin_memory(Tensor self, Device? device=None) -> Tensor"};
inline constexpr Schema kIsPinned{"aten::is_pinned(Tensor self, Device? device=None) -> bool"};
inline constexpr Schema kResizeOutputInplace{
    "aten::_resize_output_(Tensor(a!) self, SymInt[] size, Device device) -> Tensor(a!)"};
inline constexpr Schema kResizeOutput{"aten::_resize_output(Tensor self, SymInt[] size, Device device) -> Tensor"};

}  // namespace ersatz::op_pinned
