// Python objects of PyTorch for what ersatz knows by metadata: dtypes, devices, arguments, tensors without data.
//
// All functions REQUIRE the GIL; what PyTorch raises passes.
#pragma once

#include <map>
#include <span>

#include "fake/ask/ask.h"
#include "python/module/module.h"
#include "runtime/op/value.h"

namespace ersatz::python {

/// What a call of Python's C interface returned; the exception that it set, where that is nothing.
inline nb::object checked(PyObject* o) {
  if (!o) throw nb::python_error();
  return nb::steal(o);
}

class TorchObjects {
 public:
  TorchObjects();

  nb::object dtype(ErsatzDType t);  ///< REQUIRES: one of ersatz
  nb::object device(ErsatzDevice d);
  /// A storage on the meta device.
  nb::object meta_storage(int64_t bytes);
  /// A tensor on the meta device of that metadata, lazy bits included. Without `storage` it has one of its own, which
  /// is as large as its elements ask for, and the offset is 0.
  nb::object meta_tensor(const ErsatzTensorMeta& t, nb::handle storage = {});
  /// An argument of a call. `tensors` are used for those of `ours`. A generator becomes None.
  nb::object argument(const Value& v, std::span<const Tensor> ours, std::span<const nb::object> tensors);

 private:
  nb::object torch_, empty_strided_, storage_type_, set_conj_, set_neg_, how_, meta_, nothing_;
  std::map<std::pair<uint8_t, uint8_t>, nb::object> dtypes_;   ///< by code and bits
  std::map<std::pair<int32_t, int32_t>, nb::object> devices_;  ///< by type and index
};

}  // namespace ersatz::python
