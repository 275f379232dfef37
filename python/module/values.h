// Arguments and results of operators: Python objects as Values and back.
#pragma once

#include "python/module/module.h"
#include "runtime/op/schema.h"

namespace ersatz::python {

/// The object as a Value for an argument of that type: None, bool, int, float, complex, str (a dtype, device, memory
/// format or layout where the type asks for one), a Tensor, what has `__dlpack__`, lists and tuples of these. TypeError
/// of ersatz for another one.
Value value_of(nb::handle object, const SchemaType& type);
/// A result: None, numbers, tensors, lists. `arguments`: objects whose tensors may be results themselves; they are
/// returned as the same objects.
nb::object object_of(const Value& value, std::span<const nb::handle> arguments = {});

/// An array of another library: its memory, not copied. InvalidArgument for a device or dtype that is unknown here.
Tensor tensor_of_array(nb::handle array);

}  // namespace ersatz::python
