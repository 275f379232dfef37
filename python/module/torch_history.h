// Converts a PyTorch tensor to an ersatz tensor, with its autograd state.
#pragma once

#include "python/module/module.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::python {

/// Returns a tensor on the memory of an array of another library. If it is a PyTorch tensor, the result has its
/// autograd state: requires_grad, is_leaf, whether it is a parameter, a view (with its base) or an inference tensor,
/// and `.grad`.
Tensor tensor_with_history(nb::handle array);

}  // namespace ersatz::python
