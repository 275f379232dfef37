// Arrays of other libraries: their memory as tensors and back, not copied (DLPack, the buffer protocol).
#pragma once

#include "python/module/module.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::python {

/// Does it say of itself that it is an array?
bool is_array(nb::handle object);
/// The number that a scalar of an array library is (`numpy.float32(2)`); null: it is none.
nb::object number_of_array_scalar(nb::handle object);

/// A tensor on the memory of the array, which it keeps alive. InvalidArgument for a device, a dtype or a layout that no
/// tensor has, and for memory that must not be written.
Tensor tensor_of_array(nb::handle array);

/// The memory of an ersatz.Tensor for NumPy; of a fake or on another device: Error.
nb::object numpy_of(nb::handle tensor);
nb::object dlpack_of(nb::handle tensor, nb::kwargs how);

}  // namespace ersatz::python
