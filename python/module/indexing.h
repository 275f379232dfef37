// Runs `x[1:3, None, ..., mask]` as the calls that PyTorch makes for it: select, slice, unsqueeze, and then one index.
#pragma once

#include "python/module/module.h"

namespace ersatz::python {

/// Returns `tensor[key]`. REQUIRES: `tensor` is an ersatz.Tensor. RAISES IndexError, TypeError or ValueError.
nb::object indexed(PyObject* tensor, PyObject* key);

}  // namespace ersatz::python
