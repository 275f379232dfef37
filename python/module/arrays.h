// Shares memory between tensors and arrays of other libraries, without copies (DLPack, the buffer protocol).
#pragma once

#include "python/module/module.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::python {

/// Returns whether the object supports an array protocol.
bool is_array(nb::handle object);
/// Returns the number in a scalar of an array library (`numpy.float32(2)`); null if the object is no scalar.
nb::object number_of_array_scalar(nb::handle object);

/// Returns a tensor on the memory of the array; the tensor keeps the array alive. RAISES InvalidArgument for read-only
/// memory, and for a device, dtype or layout that tensors cannot have.
Tensor tensor_of_array(nb::handle array);

/// Returns a NumPy array on the memory of an ersatz.Tensor. RAISES Error for a fake, and for a device other than the
/// CPU.
nb::object numpy_of(nb::handle tensor);
nb::object dlpack_of(nb::handle tensor, nb::kwargs how);

}  // namespace ersatz::python
