// PyTorch's arguments and results as values of the interface to ask (fake/ask/ask.h).
#pragma once

#include <span>

#include "python/module/arena.h"
#include "python/module/torch_fakes.h"
#include "runtime/op/schema.h"

namespace ersatz::python {

/// Is there a tensor of complex numbers among them?
bool has_complex(std::span<const ErsatzValue> values);

class TorchValues {
 public:
  /// Fake tensors of PyTorch are opaque without `fakes`.
  explicit TorchValues(const TorchLibrary& torch, const TorchFakes* fakes = nullptr) : torch_(torch), fakes_(fakes) {}

  void clear();
  /// Raises nothing: what cannot be told is NONE, and `opaque` says why.
  ErsatzValue value(PyObject* o);
  /// A call's arguments in the order of the schema; what is not given is ABSENT. Null, or why they cannot be told:
  /// `another schema`, or what `opaque` says. REQUIRES: `clear` before; `kwargs` may be null.
  const char* bind(const FunctionSchema& schema, PyObject* args, PyObject* kwargs, std::vector<ErsatzValue>& to);
  /// The elements of tuples and lists, one after the other: the results of a call.
  void flatten(PyObject* o);

  std::span<const ErsatzValue> flat() const { return flat_; }
  /// Those of `flat` that are not None, opaque ones included.
  size_t results() const { return results_; }
  /// Each tensor met, in order, one that comes twice twice.
  std::span<PyObject* const> tensors() const { return tensors_; }
  /// Why something could not be told: `sparse layout`; null: all could.
  const char* opaque() const { return opaque_; }
  /// The class of the first tensor subclass met; null: none was.
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
