// Errors as Python raises them: classes of ersatz.errors, by family, with what the error knows as attributes.
#pragma once

#include "python/module/module.h"
#include "runtime/base/error.h"

namespace ersatz::python {

/// The Python exception that stands for the error.
nb::object exception_of(const Error& e);

/// Makes the exception that is being handled the one that Python raises. To be called in a `catch (...)`.
void raise_in_python() noexcept;

/// What a slot of a type returns: the function's object, or null with an exception set.
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
