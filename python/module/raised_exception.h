// Exceptions of Python that are put aside while other Python runs.
//
// All functions REQUIRE the GIL.
#pragma once

#include <string>
#include <utility>

#include "python/module/module.h"

namespace ersatz::python {

/// While it lives no exception is set; at its end the one that was set before is set again.
class ExceptionAside {
 public:
  ExceptionAside() { PyErr_Fetch(&type_, &value_, &trace_); }
  ~ExceptionAside() { PyErr_Restore(type_, value_, trace_); }
  ExceptionAside(const ExceptionAside&) = delete;
  ExceptionAside& operator=(const ExceptionAside&) = delete;

 private:
  PyObject *type_ = nullptr, *value_ = nullptr, *trace_ = nullptr;
};

/// The exception that was set, if any: it can be looked at, and is dropped unless it is raised again.
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

/// Class and first line of an exception; a null class: of no family that ersatz knows.
std::pair<const char*, std::string> family_of(PyObject* type, PyObject* value);

/// Passes a KeyboardInterrupt, raised while a fake kernel ran, on to the user's program.
inline void hand_on_interruption(const nb::python_error& e) {
  if (e.matches(PyExc_KeyboardInterrupt)) PyErr_SetInterrupt();
}

}  // namespace ersatz::python
