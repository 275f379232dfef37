// Memory of a device's own kind: pinned host memory, and outputs resized on a device given by position.
//
// There is no pinned memory here, and a fake cannot say whether memory is pinned. These ops are known, so that programs
// that hold them are told what is missing: `NYI: aten._pin_memory.default` (NotSupported).
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_pinned {

inline constexpr Schema kPinMemory{"aten::pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)"};
inline constexpr Schema kPinMemoryCopy{"aten::_pin_memory(Tensor self, Device? device=None) -> Tensor"};
inline constexpr Schema kIsPinned{"aten::is_pinned(Tensor self, Device? device=None) -> bool"};
inline constexpr Schema kResizeOutputInplace{
    "aten::_resize_output_(Tensor(a!) self, SymInt[] size, Device device) -> Tensor(a!)"};

}  // namespace ersatz::op_pinned

namespace ersatz::ops {

/// [pin_memory.NYI] always.
Tensor pin_memory(const Tensor& self);

}  // namespace ersatz::ops
