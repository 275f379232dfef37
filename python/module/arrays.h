// Shares memory between tensors and arrays of other libraries, without copies (DLPack, the buffer protocol).
#pragma once

#include "python/module/module.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::python {

/// Returns whether the object supports an array protocol.
bool is_array(nb::handle object);
/// Returns the number in a scalar of an array library (`numpy.float32(2)`), null if the object is none.
nb::object number_of_array_scalar(nb::handle object);

/// Returns a tensor on the memory of the array, which it keeps alive. Raises InvalidArgument for a device, dtype or
/// layout that tensors do not have, and for read-only memory.
Tensor tensor_of_array(nb::handle array);

/// Returns the memory of an ersatz.Tensor for NumPy. Raises Error for a fake and for another device.
nb::object numpy_of(nb::handle tensor);
nb::object dlpack_of(nb::handle tensor, nb::kwargs how);

}  // namespace ersatz::python
