// Converts arguments and results of operators between Python objects and Values.
#pragma once

#include "python/module/module.h"
#include "runtime/op/schema.h"

namespace ersatz::python {

/// Storage for the int lists in one call's arguments. It has a fixed capacity, so that addresses stay valid.
constexpr size_t kIntRoom = 32;
using IntRoom = InlineVec<SymInt, kIntRoom>;

/// Converts an object to an argument of `type`: None, bool, int, float, complex, str, a Tensor, an array, or lists and
/// tuples of these. If the type is a dtype, device, memory format or layout, a str is parsed as one. RAISES ersatz's
/// TypeError for another object. A tensor is borrowed from its object, and a list of ints is stored in `ints` if it
/// fits.
Value value_of(PyObject* object, const SchemaType& type, IntRoom& ints);
/// Converts a result: None, a number, a tensor or a list. If a tensor is one of `arguments`, returns the object in
/// `objects` that it was read from. Returns a new reference.
PyObject* object_of(Value value, std::span<const Value> arguments = {}, PyObject* const* objects = nullptr);

}  // namespace ersatz::python
