// Arguments and results of operators: Python objects as Values and back.
#pragma once

#include "python/module/module.h"
#include "runtime/op/schema.h"

namespace ersatz::python {

/// Room for the int lists of one call's arguments; it never grows, so that addresses hold.
constexpr size_t kIntRoom = 32;
using IntRoom = InlineVec<SymInt, kIntRoom>;

/// The object as a Value for an argument of that type: None, bool, int, float, complex, str (a dtype, device, memory
/// format or layout where the type asks for one), a Tensor, an array, lists and tuples of these. TypeError of ersatz
/// for another one. A tensor is borrowed from its object, a list of ints from `ints`, where it has room.
Value value_of(PyObject* object, const SchemaType& type, IntRoom& ints);
/// A result: None, numbers, tensors, lists. A tensor that is one of `arguments`, which were read from `objects`, is
/// returned as the same object. A new reference.
PyObject* object_of(Value value, std::span<const Value> arguments = {}, PyObject* const* objects = nullptr);

}  // namespace ersatz::python
