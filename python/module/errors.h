// Errors in Python: classes of ersatz.errors by family, with the error's fields as attributes.
#pragma once

#include "python/module/module.h"
#include "runtime/base/error.h"

namespace ersatz::python {

/// Returns the Python exception for the error.
nb::object exception_of(const Error& e);

/// Sets the Python exception for the C++ exception that is being handled. To be called in a `catch (...)`.
void raise_in_python() noexcept;

/// Returns the result of `f`, or null with a Python exception set if `f` throws. For slots of types.
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
