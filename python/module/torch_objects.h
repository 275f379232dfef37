// Makes PyTorch's Python objects from metadata: dtypes, devices, arguments, and tensors on the meta device.
//
// All functions REQUIRE the GIL. If PyTorch raises, the exception propagates.
#pragma once

#include <map>
#include <span>

#include "fake/ask/ask.h"
#include "python/module/module.h"
#include "runtime/op/value.h"

namespace ersatz::python {

/// Takes over a reference that Python's C API returned. If it is null, throws the exception that is set.
inline nb::object checked(PyObject* o) {
  if (!o) throw nb::python_error();
  return nb::steal(o);
}

class TorchObjects {
 public:
  TorchObjects();

  nb::object dtype(ErsatzDType t);  ///< REQUIRES: `t` is a dtype of ersatz
  nb::object device(ErsatzDevice d);
  /// Returns a storage on the meta device.
  nb::object meta_storage(int64_t bytes);
  /// Returns a meta tensor with this metadata and its conj and neg bits. If `storage` is not given, the tensor gets a
  /// storage that is as large as its elements need, and offset 0.
  nb::object meta_tensor(const ErsatzTensorMeta& t, nb::handle storage = {});
  /// Returns an argument of a call as a Python object. The tensors in `ours` are replaced by those in `tensors`. A
  /// generator becomes None.
  nb::object argument(const Value& v, std::span<const Tensor> ours, std::span<const nb::object> tensors);

 private:
  nb::object torch_, empty_strided_, storage_type_, set_conj_, set_neg_, how_, meta_, nothing_;
  std::map<std::pair<uint8_t, uint8_t>, nb::object> dtypes_;   ///< by code and bits
  std::map<std::pair<int32_t, int32_t>, nb::object> devices_;  ///< by type and index
};

}  // namespace ersatz::python
