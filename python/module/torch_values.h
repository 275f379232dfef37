// Converts PyTorch's arguments and results to values of the C interface (fake/ask/ask.h).
#pragma once

#include <span>

#include "python/module/arena.h"
#include "python/module/torch_fakes.h"
#include "runtime/op/schema.h"

namespace ersatz::python {

/// Returns whether a tensor among the values is complex.
bool has_complex(std::span<const ErsatzValue> values);

class TorchValues {
 public:
  /// If `fakes` is null, PyTorch's fake tensors cannot be converted.
  explicit TorchValues(const TorchLibrary& torch, const TorchFakes* fakes = nullptr) : torch_(torch), fakes_(fakes) {}

  void clear();
  /// Converts an object. Never raises: if the object cannot be converted, the value is NONE and `opaque` has the
  /// reason.
  ErsatzValue value(PyObject* o);
  /// Converts a call's arguments, in schema order. A missing argument becomes ABSENT. Returns null, or the reason why
  /// it failed: `another schema`, or the text of `opaque`. REQUIRES: `clear` was called before. `kwargs` may be null.
  const char* bind(const FunctionSchema& schema, PyObject* args, PyObject* kwargs, std::vector<ErsatzValue>& to);
  /// Appends a call's results. Tuples and lists are flattened.
  void flatten(PyObject* o);

  std::span<const ErsatzValue> flat() const { return flat_; }
  /// Returns the number of values in `flat` that are not None. Objects that could not be converted count too.
  size_t results() const { return results_; }
  /// Returns all tensors that were converted, in order, with repetitions.
  std::span<PyObject* const> tensors() const { return tensors_; }
  /// Returns the reason why a conversion failed, for example `sparse layout`; null if none failed.
  const char* opaque() const { return opaque_; }
  /// Returns the class of the first tensor subclass; null if there was none.
  PyTypeObject* subclass() const { return subclass_; }

 private:
  ErsatzValue tensor(PyObject* o, const char* why, const ErsatzTensorMeta* meta);
  ErsatzValue list(PyObject* const* items, Py_ssize_t n);
  ErsatzValue unknown(const char* why);

  const TorchLibrary& torch_;
  const TorchFakes* fakes_;
  Arena<ErsatzTensorMeta> metas_;
  Arena<int64_t> integers_;
  Arena<ErsatzValue> items_;
  std::vector<ErsatzValue> flat_;
  std::vector<PyObject*> tensors_;
  size_t results_ = 0;
  const char* opaque_ = nullptr;
  PyTypeObject* subclass_ = nullptr;
};

}  // namespace ersatz::python
