// Reads PyTorch's fake tensors. A FakeTensor is a tensor subclass: its device is a Python attribute, and it has no
// memory. Its sizes are those of the underlying meta tensor, unless they are symbols.
//
// All functions REQUIRE the GIL.
#pragma once

#include "python/module/torch_library.h"

namespace ersatz::python {

class TorchFakes {
 public:
  explicit TorchFakes(const TorchLibrary& torch);

  /// Returns whether the object's class is FakeTensor itself and no subclass.
  bool is_fake(PyObject* o) const { return Py_TYPE(o) == type_; }
  /// Reads the metadata as TorchLibrary::read does. A further reason for a refusal is kSymbolic.
  const char* read(PyObject* fake, ErsatzTensorMeta& to) const;
  static const char* const kSymbolic;
  /// Returns false if the device cannot be told.
  bool device(PyObject* fake, ErsatzDevice& to) const;
  /// Returns the example value of a symbol, nullopt if there is none. `node` is a SymNode over the symbol.
  std::optional<int64_t> example(nb::handle node, nb::handle symbol) const;

  PyTypeObject* type() const { return type_; }
  nb::object mode(PyObject* fake) const { return attribute(fake, mode_); }
  /// Returns whether the fake has a constant value, a real tensor, or dispatch keys of another backend (mkldnn).
  bool is_more_than_metadata(PyObject* fake) const;

 private:
  nb::object attribute(PyObject* fake, PyObject* name) const;

  const TorchLibrary& torch_;
  PyTypeObject* type_ = nullptr;
  PyObject* symbolic_getter_ = nullptr;
  PyObject *device_ = nullptr, *mode_ = nullptr, *beside_[3] = {};  ///< names of attributes, as Python strings
  const char* examples_ = nullptr;  ///< name of ShapeEnv's attribute that has the symbols' example values
  mutable nb::object last_;         ///< the torch.device that was read last
  mutable ErsatzDevice told_ = {};  ///< `last_` as an ErsatzDevice
};

}  // namespace ersatz::python
