// Python exceptions that are put aside while other Python code runs.
//
// All functions REQUIRE the GIL.
#pragma once

#include <string>
#include <utility>

#include "python/module/module.h"

namespace ersatz::python {

/// Clears the current Python exception for its lifetime, and sets it again at the end.
class ExceptionAside {
 public:
  ExceptionAside() { PyErr_Fetch(&type_, &value_, &trace_); }
  ~ExceptionAside() { PyErr_Restore(type_, value_, trace_); }
  ExceptionAside(const ExceptionAside&) = delete;
  ExceptionAside& operator=(const ExceptionAside&) = delete;

 private:
  PyObject *type_ = nullptr, *value_ = nullptr, *trace_ = nullptr;
};

/// Takes the current Python exception, if any, so that it can be examined. It is dropped unless it is raised again.
class RaisedException {
 public:
  RaisedException() {
    PyErr_Fetch(&type_, &value_, &trace_);
    PyErr_NormalizeException(&type_, &value_, &trace_);
  }
  PyObject* type() const { return type_; }
  PyObject* value() const { return value_; }
  void raise_again() {
    PyErr_Restore(std::exchange(type_, nullptr), std::exchange(value_, nullptr), std::exchange(trace_, nullptr));
  }
  ~RaisedException() {
    Py_XDECREF(type_);
    Py_XDECREF(value_);
    Py_XDECREF(trace_);
  }

 private:
  PyObject *type_ = nullptr, *value_ = nullptr, *trace_ = nullptr;
};

/// Returns class and first line of an exception. The class is null if ersatz has no family for it.
std::pair<const char*, std::string> family_of(PyObject* type, PyObject* value);

/// Raises a KeyboardInterrupt of a fake kernel in the user's program.
inline void hand_on_interruption(const nb::python_error& e) {
  if (e.matches(PyExc_KeyboardInterrupt)) PyErr_SetInterrupt();
}

}  // namespace ersatz::python
