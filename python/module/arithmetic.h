// Implements Python's operators `x + y`, `-x`, `x < 2`, `x @ y` by the operators that PyTorch calls for them.
#pragma once

#include "python/module/module.h"

namespace ersatz::python {

/// Slots of the type ersatz.Tensor; an empty slot ends the array.
extern PyType_Slot tensor_operators[];

/// Returns the value of a tensor with one element. RAISES RuntimeError for any other tensor, and for a fake.
nb::object only_item(PyObject* tensor);

}  // namespace ersatz::python
