#include "python/module/raised_exception.h"

#include <nanobind/stl/string.h>

namespace ersatz::python {

std::pair<const char*, std::string> family_of(PyObject* type, PyObject* value) {
  constexpr std::pair<PyObject**, const char*> families[] = {{&PyExc_NotImplementedError, "NotImplementedError"},
                                                             {&PyExc_IndexError, "IndexError"},
                                                             {&PyExc_TypeError, "TypeError"},
                                                             {&PyExc_ValueError, "ValueError"},
                                                             {&PyExc_RuntimeError, "RuntimeError"}};
  for (const auto& [exception, name] : families) {
    if (!PyErr_GivenExceptionMatches(type, *exception)) continue;
    const std::string text = value ? nb::cast<std::string>(nb::str(nb::handle(value))) : std::string();
    return {name, text.substr(0, text.find('\n'))};
  }
  return {nullptr, ""};
}

}  // namespace ersatz::python
