// Converts arguments and results of operators between Python objects and Values.
#pragma once

#include "python/module/module.h"
#include "runtime/op/schema.h"

namespace ersatz::python {

/// Storage for the int lists of one call's arguments. It never grows, so addresses stay valid.
constexpr size_t kIntRoom = 32;
using IntRoom = InlineVec<SymInt, kIntRoom>;

/// Converts an object to an argument of that type: None, bool, int, float, complex, str (a dtype, device, memory format
/// or layout if the type is one), a Tensor, an array, or lists and tuples of these. Raises ersatz's TypeError for
/// another object. A tensor is borrowed from its object, and a list of ints from `ints` if it fits.
Value value_of(PyObject* object, const SchemaType& type, IntRoom& ints);
/// Converts a result: None, numbers, tensors, lists. A tensor that is one of `arguments` becomes the object in
/// `objects` from which it was read. Returns a new reference.
PyObject* object_of(Value value, std::span<const Value> arguments = {}, PyObject* const* objects = nullptr);

}  // namespace ersatz::python
