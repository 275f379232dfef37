// ersatz.Tensor as an object of Python: found in one comparison, made without a search.
#pragma once

#include "python/module/module.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::python {

/// The type ersatz.Tensor, which has no subclasses; set by bind_tensors.
extern PyTypeObject* g_tensor_type;

/// The tensor that the object is; null: it is none. It lives as long as the object.
inline Tensor* tensor_in(PyObject* o) { return Py_TYPE(o) == g_tensor_type ? nb::inst_ptr<Tensor>(o) : nullptr; }

/// A new reference.
inline PyObject* object_of(Tensor t) {
  nb::object o = nb::inst_alloc(reinterpret_cast<PyObject*>(g_tensor_type));
  new (nb::inst_ptr<Tensor>(o)) Tensor(std::move(t));
  nb::inst_mark_ready(o);
  return o.release().ptr();
}

}  // namespace ersatz::python
