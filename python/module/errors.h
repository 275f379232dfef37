// Errors as Python raises them: classes of ersatz.errors, by family, with what the error knows as attributes.
#pragma once

#include "python/module/module.h"
#include "runtime/base/error.h"

namespace ersatz::python {

/// The Python exception that stands for the error.
nb::object exception_of(const Error& e);

}  // namespace ersatz::python
