// Fast conversions between ersatz.Tensor and its Python object.
#pragma once

#include "python/module/module.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::python {

/// The type ersatz.Tensor, which has no subclasses. bind_tensors sets it.
extern PyTypeObject* g_tensor_type;

/// Returns the tensor in the object, null if the object is no ersatz.Tensor. It lives as long as the object.
inline Tensor* tensor_in(PyObject* o) { return Py_TYPE(o) == g_tensor_type ? nb::inst_ptr<Tensor>(o) : nullptr; }

/// Returns a new reference.
inline PyObject* object_of(Tensor t) {
  nb::object o = nb::inst_alloc(reinterpret_cast<PyObject*>(g_tensor_type));
  new (nb::inst_ptr<Tensor>(o)) Tensor(std::move(t));
  nb::inst_mark_ready(o);
  return o.release().ptr();
}

}  // namespace ersatz::python
