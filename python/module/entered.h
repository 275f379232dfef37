// A context of Python that C++ enters and leaves.
#pragma once

#include <utility>

#include "python/module/raised_exception.h"

namespace ersatz::python {

/// Enters the context; none is entered where the object is null. REQUIRES the GIL.
class Entered {
 public:
  explicit Entered(nb::object context) : context_(std::move(context)) {
    if (context_.is_valid()) context_.attr("__enter__")();
  }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
  /// An exception that is set is kept.
  ~Entered() {
    if (!context_.is_valid()) return;
    const ExceptionAside of_the_body;
    PyObject* const none = Py_None;
    Py_XDECREF(PyObject_CallMethod(context_.ptr(), "__exit__", "OOO", none, none, none));
  }

 private:
  nb::object context_;
};

/// A context in which the keys that resolve lazy conjugates and negations work as they do without a dispatch mode;
/// below a mode PyTorch excludes these keys (recording/plain_call.py describes the effect).
inline nb::object lazy_bits_resolved() {
  return nb::module_::import_("ersatz.torch.recording.plain_call").attr("lazy_bits_resolved")();
}

}  // namespace ersatz::python
