// Lets C++ enter and leave a Python context manager.
#pragma once

#include <utility>

#include "python/module/raised_exception.h"

namespace ersatz::python {

/// Enters the context manager unless the object is null. REQUIRES: the GIL is held.
class Entered {
 public:
  explicit Entered(nb::object context) : context_(std::move(context)) {
    if (context_.is_valid()) context_.attr("__enter__")();
  }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
  /// Leaves the context. If a Python exception is set, it stays set.
  ~Entered() {
    if (!context_.is_valid()) return;
    const ExceptionAside of_the_body;
    PyObject* const none = Py_None;
    Py_XDECREF(PyObject_CallMethod(context_.ptr(), "__exit__", "OOO", none, none, none));
  }

 private:
  nb::object context_;
};

/// Returns a context in which lazy conjugates and negations are resolved as without a dispatch mode. Under a mode
/// PyTorch excludes the dispatch keys for them (recording/plain_call.py describes the effect).
inline nb::object lazy_bits_resolved() {
  return nb::module_::import_("ersatz.torch.recording.plain_call").attr("lazy_bits_resolved")();
}

}  // namespace ersatz::python
