// Keeps a Python exception while other Python code runs.
//
// All functions REQUIRE the GIL.
#pragma once

#include <string>
#include <utility>

#include "python/module/module.h"

namespace ersatz::python {

/// The constructor clears the current Python exception, and the destructor sets it again.
class ExceptionAside {
 public:
  ExceptionAside() { PyErr_Fetch(&type_, &value_, &trace_); }
  ~ExceptionAside() { PyErr_Restore(type_, value_, trace_); }
  ExceptionAside(const ExceptionAside&) = delete;
  ExceptionAside& operator=(const ExceptionAside&) = delete;

 private:
  PyObject *type_ = nullptr, *value_ = nullptr, *trace_ = nullptr;
};

/// Takes the current Python exception, if there is one, so that it can be examined. Unless it is raised again, it is
/// dropped.
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

/// Returns the class and the first line of an exception. The class is null if ersatz has no error family for it.
std::pair<const char*, std::string> family_of(PyObject* type, PyObject* value);

/// If a fake kernel raised KeyboardInterrupt, raises it in the user's program.
inline void hand_on_interruption(const nb::python_error& e) {
  if (e.matches(PyExc_KeyboardInterrupt)) PyErr_SetInterrupt();
}

}  // namespace ersatz::python
