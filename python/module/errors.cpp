#include "python/module/errors.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace ersatz::python {

nb::object exception_of(const Error& e) {
  constexpr const char* classes[] = {"IndexError", "TypeError", "ValueError", "RuntimeError", "NotImplementedError"};
  const bool mismatch = e.kind == ErrorKind::MetadataMismatch;
  const nb::object type =
      nb::module_::import_("ersatz.errors").attr(mismatch ? "MetadataMismatch" : classes[static_cast<int>(e.family)]);
  nb::object exception = type(e.message);
  exception.attr("kind") = std::string(name(e.kind));
  exception.attr("op") = e.op;
  exception.attr("label") = e.label;
  exception.attr("arguments") = nb::tuple(nb::cast(e.arguments));
  exception.attr("suggestion") = e.suggestion;
  return exception;
}

namespace {

void raise(const Error& e) {
  const nb::object exception = exception_of(e);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
}

}  // namespace

void raise_in_python() noexcept {
  try {
    try {
      throw;
    } catch (const Error& e) {
      raise(e);
    }
  } catch (nb::python_error& e) {
    e.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
}

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const Error& e) {
      raise(e);
    }
  });
}

}  // namespace ersatz::python
