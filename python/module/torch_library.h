// Reads PyTorch's objects without PyTorch's headers. Tensor metadata come from PyTorch's stable C interface
// (`aoti_torch_get_*`), found at run time in the process that loaded it. That interface does not give access to a
// Python tensor's TensorImpl, storage and dispatch keys. At first use, their offsets in the objects are found by
// comparing words of some tensors with values that PyTorch returns for these tensors. If an offset is not found, or two
// objects disagree, RuntimeError says that the PyTorch version is not supported.
//
// All functions REQUIRE the GIL.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "fake/ask/ask.h"
#include "python/module/module.h"
#include "runtime/base/context.h"
#include "runtime/base/dtype.h"

namespace ersatz::python {

class TorchLibrary {
 public:
  /// Returns the library that `import torch` loaded in this process. RAISES ersatz's RuntimeError if there is none, or
  /// if its objects cannot be read.
  static const TorchLibrary& get();

  /// Returns whether the object is a Tensor or a Parameter, and of no subclass.
  bool is_tensor(PyObject* o) const { return Py_TYPE(o) == tensor_type_ || Py_TYPE(o) == parameter_type_; }
  /// Returns whether the object is a tensor of any class.
  bool is_any_tensor(PyObject* o) const { return PyObject_TypeCheck(o, base_type_); }

  /// Reads a tensor's metadata. Returns null, or the reason why they cannot be read: `sparse layout`, `functional
  /// wrapper`. Pointers in `to` are valid until the tensor changes. A tensor subclass is read only if `told` is given,
  /// the device that the subclass reports. REQUIRES, with `told`: the sizes are plain numbers.
  const char* read(PyObject* tensor, ErsatzTensorMeta& to, const ErsatzDevice* told = nullptr) const;
  /// Returns the version counter; -1 if the tensor has none.
  int64_t version(PyObject* tensor) const;

  std::optional<DType> dtype(PyObject* o) const;
  bool is_dtype(PyObject* o) const { return Py_TYPE(o) == dtype_type_; }
  /// True also for a dtype that ersatz does not have.
  std::optional<int64_t> memory_format(PyObject* o) const;
  bool is_device(PyObject* o) const { return Py_TYPE(o) == device_type_; }
  /// Reads a device. Returns false for an unknown device type. For a metadata-only device, the thread's choice of rules
  /// is used (runtime/base/other_devices.h).
  bool device(PyObject* o, ErsatzDevice& to) const;
  bool is_layout(PyObject* o) const { return Py_TYPE(o) == layout_type_; }
  bool is_strided(PyObject* o) const { return o == strided_; }
  bool is_generator(PyObject* o) const { return PyObject_TypeCheck(o, generator_type_); }
  bool is_symbol(PyObject* o) const;  ///< whether it is a SymInt, SymFloat or SymBool
  DType default_dtype() const;
  TorchVersion running() const { return running_; }  ///< version of the imported PyTorch
  RuleContext context() const;                       ///< the default dtype and the PyTorch version

 private:
  TorchLibrary();
  void find_functions();
  void find_places();
  void find_keys();
  void find_objects();
  /// Reads a device other than cpu, cuda and meta. Returns false if ersatz does not have it.
  bool other_device(PyObject* tensor, int32_t type, int32_t index, ErsatzDevice& to) const;

  using Handle = void*;  // address of a pointer to the TensorImpl, which is the layout of an at::Tensor
  using Status = int32_t;
  struct {
    Status (*sizes)(Handle, int64_t**);
    Status (*strides)(Handle, int64_t**);
    Status (*dim)(Handle, int64_t*);
    Status (*dtype)(Handle, int32_t*);
    Status (*device_type)(Handle, int32_t*);
    Status (*device_index)(Handle, int32_t*);
    Status (*layout)(Handle, int32_t*);
    Status (*offset)(Handle, int64_t*);
    Status (*storage_bytes)(Handle, int64_t*);
    int32_t (*device_cpu)();
    int32_t (*device_cuda)();
    int32_t (*device_meta)();
    int32_t (*layout_strided)();
  } functions_ = {};
  int32_t cpu_ = 0, cuda_ = 0, meta_ = 0, layout_ = 0;
  size_t impl_at_ = 0, storage_at_ = 0, keys_at_ = 0;        ///< offsets in words
  uint64_t conj_ = 0, neg_ = 0, opaque_ = 0, subclass_ = 0;  ///< bits of dispatch keys
  std::unordered_map<uint64_t, std::string> opaque_names_;
  mutable std::unordered_map<int32_t, std::string> device_names_;  ///< names of other devices, by PyTorch's device type
  PyTypeObject *base_type_ = nullptr, *tensor_type_ = nullptr, *parameter_type_ = nullptr, *device_type_ = nullptr,
               *layout_type_ = nullptr, *dtype_type_ = nullptr, *generator_type_ = nullptr, *symbols_[3] = {};
  PyObject *strided_ = nullptr, *version_getter_ = nullptr, *default_dtype_ = nullptr;
  TorchVersion running_;
  std::unordered_map<PyObject*, DType> dtypes_;
  std::unordered_map<PyObject*, int64_t> memory_formats_;
};

}  // namespace ersatz::python
