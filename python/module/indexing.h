// `x[1:3, None, ..., mask]` as the calls that PyTorch makes for it: select, slice, unsqueeze, then one index.
#pragma once

#include "python/module/module.h"

namespace ersatz::python {

/// `tensor` is an ersatz.Tensor, `key` whatever stands between the brackets. IndexError, TypeError, ValueError.
nb::object indexed(PyObject* tensor, PyObject* key);

}  // namespace ersatz::python
