// PyTorch's fake tensors, read deliberately: they are a subclass whose device is an attribute of the Python object and
// whose memory is none. Sizes are those of the object below, unless they are symbols.
//
// All functions REQUIRE the GIL.
#pragma once

#include "python/module/torch_library.h"

namespace ersatz::python {

class TorchFakes {
 public:
  explicit TorchFakes(const TorchLibrary& torch);

  /// Of the class FakeTensor itself.
  bool is_fake(PyObject* o) const { return Py_TYPE(o) == type_; }
  /// As TorchLibrary::read; `symbolic sizes` too.
  const char* read(PyObject* fake, ErsatzTensorMeta& to) const;

  PyTypeObject* type() const { return type_; }
  nb::object mode(PyObject* fake) const { return attribute(fake, mode_); }
  /// Has it a value that PyTorch knows, or a real tensor beside it, or keys of another backend (mkldnn)?
  bool is_more_than_metadata(PyObject* fake) const;

 private:
  nb::object attribute(PyObject* fake, PyObject* name) const;

  const TorchLibrary& torch_;
  PyTypeObject* type_ = nullptr;
  PyObject* symbolic_getter_ = nullptr;
  PyObject *device_ = nullptr, *mode_ = nullptr, *beside_[3] = {};  ///< names
};

}  // namespace ersatz::python
