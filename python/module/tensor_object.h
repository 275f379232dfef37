// Fast conversion between ersatz.Tensor in C++ and its Python object.
#pragma once

#include "python/module/module.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::python {

/// The Python type ersatz.Tensor, which cannot have subclasses. bind_tensors sets the pointer.
extern PyTypeObject* g_tensor_type;

/// Returns the tensor in the object; null if the object is no ersatz.Tensor. The pointer is valid as long as the object
/// lives.
inline Tensor* tensor_in(PyObject* o) { return Py_TYPE(o) == g_tensor_type ? nb::inst_ptr<Tensor>(o) : nullptr; }

/// Returns a Python object for the tensor (a new reference).
inline PyObject* object_of(Tensor t) {
  nb::object o = nb::inst_alloc(reinterpret_cast<PyObject*>(g_tensor_type));
  new (nb::inst_ptr<Tensor>(o)) Tensor(std::move(t));
  nb::inst_mark_ready(o);
  return o.release().ptr();
}

}  // namespace ersatz::python
