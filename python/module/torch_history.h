// Converts a PyTorch tensor to an ersatz tensor, with its autograd state.
#pragma once

#include "python/module/module.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::python {

/// Returns a tensor on the memory of an array of another library. For a PyTorch tensor it also has these flags:
/// requires_grad, leaf, parameter, view (with its base), inference mode, and its `.grad`.
Tensor tensor_with_history(nb::handle array);

}  // namespace ersatz::python
