// Arguments and results of operators: Python objects as Values and back.
#pragma once

#include "python/module/module.h"
#include "runtime/op/schema.h"

namespace ersatz::python {

/// Room for lists of integers that are borrowed from it: a call's few dims, strides and sizes cost no allocation.
constexpr size_t kIntegerRoom = 32;
using IntegerRoom = InlineVec<SymInt, kIntegerRoom>;

/// The object as a Value for an argument of that type: None, bool, int, float, complex, str (a dtype, device, memory
/// format or layout where the type asks for one), a Tensor, an array, lists and tuples of these. TypeError of ersatz
/// for another one. A tensor is borrowed from its object; a list of integers from `room`, where it has some left.
Value value_of(PyObject* object, const SchemaType& type, IntegerRoom* room = nullptr);
/// A result: None, numbers, tensors, lists. A tensor that is one of `arguments`, which were read from `objects`, is
/// returned as the same object. A new reference.
PyObject* object_of(Value value, std::span<const Value> arguments = {}, PyObject* const* objects = nullptr);

}  // namespace ersatz::python
