// `x + y`, `-x`, `x < 2`, `x @ y`: operators of Python as the operators that PyTorch calls for them.
#pragma once

#include "python/module/module.h"

namespace ersatz::python {

/// Slots of the type ersatz.Tensor, ended by an empty one.
extern PyType_Slot tensor_operators[];

/// The value of a tensor of one element. RuntimeError of another one, and of a fake.
nb::object only_item(PyObject* tensor);

}  // namespace ersatz::python
