// Memory of a device's own kind: pinned host memory, and outputs resized on a device given by position.
//
// There is no pinned memory here, and a fake cannot say whether memory is pinned. These ops are known, so that programs
// that hold them are told what is missing: `NYI: aten._pin_memory.default` (NotSupported).
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

/// [pin_memory.NYI] always.
Tensor pin_memory(const Tensor& self);

}  // namespace ersatz::ops
