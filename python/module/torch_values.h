// PyTorch's arguments and results as values of the interface to ask (fake/ask/ask.h).
#pragma once

#include <span>

#include "python/module/arena.h"
#include "python/module/torch_library.h"

namespace ersatz::python {

class TorchValues {
 public:
  explicit TorchValues(const TorchLibrary& torch) : torch_(torch) {}

  void clear();
  /// Raises nothing: what cannot be told is NONE, and `opaque` says why.
  ErsatzAskedValue value(PyObject* o);
  /// The elements of tuples and lists, one after the other: the results of a call.
  void flatten(PyObject* o);

  std::span<const ErsatzAskedValue> flat() const { return flat_; }
  /// Each tensor met, in order, one that comes twice twice.
  std::span<PyObject* const> tensors() const { return tensors_; }
  /// Why something could not be told: `sparse layout`; null: all could.
  const char* opaque() const { return opaque_; }

 private:
  ErsatzAskedValue list(PyObject* const* items, Py_ssize_t n);
  ErsatzAskedValue unknown(const char* why);

  const TorchLibrary& torch_;
  Arena<ErsatzTensorMeta> metas_;
  Arena<int64_t> integers_;
  Arena<ErsatzAskedValue> items_;
  std::vector<ErsatzAskedValue> flat_;
  std::vector<PyObject*> tensors_;
  const char* opaque_ = nullptr;
};

}  // namespace ersatz::python
