// Converts errors to Python exceptions: classes of ersatz.errors by family, with the error's fields as attributes.
#pragma once

#include "python/module/module.h"
#include "runtime/base/error.h"

namespace ersatz::python {

/// Returns the Python exception for an error.
nb::object exception_of(const Error& e);

/// Sets a Python exception for the C++ exception that is being handled. REQUIRES: it is called in a `catch (...)`.
void raise_in_python() noexcept;

/// Returns the result of `f`. If `f` throws, returns null and sets a Python exception, as functions in type slots must.
template <class F>
PyObject* guarded(F&& f) noexcept {
  try {
    return f();
  } catch (...) {
    raise_in_python();
    return nullptr;
  }
}

}  // namespace ersatz::python
