// A live tensor of PyTorch as a tensor of ours, with what autograd knows of it.
#pragma once

#include "python/module/module.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::python {

/// A tensor on the memory of an array of another library. Of a tensor of PyTorch it has the flags, too: whether it
/// requires a gradient, is a leaf, a parameter, a view (and of which tensor), made in inference mode, and its `.grad`.
Tensor tensor_with_history(nb::handle array);

}  // namespace ersatz::python
