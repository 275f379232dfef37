// PyTorch's objects, read without PyTorch's headers: metadata of tensors through its stable C interface
// (`aoti_torch_get_*`), found at run time in the process that has loaded it. What this interface does not tell (which
// object a Python tensor holds, which storage that has, its dispatch keys) is read at places that are found when the
// library is first met: objects are compared, word by word, with what PyTorch itself says of them. Where a place is not
// found, or two objects disagree on it, this version of PyTorch is refused in one line.
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
  /// The library of this process, which `import torch` loads. RuntimeError of ersatz: none, or one that is not
  /// understood.
  static const TorchLibrary& get();

  /// Is it a Tensor or a Parameter, not of a subclass?
  bool is_tensor(PyObject* o) const { return Py_TYPE(o) == tensor_type_ || Py_TYPE(o) == parameter_type_; }
  /// Is it a tensor of any class?
  bool is_any_tensor(PyObject* o) const { return PyObject_TypeCheck(o, base_type_); }

  /// Reads a tensor. What is returned is null, or why it cannot be told: `sparse layout`, `functional wrapper`.
  /// Pointers of `to` hold until the tensor changes. `told`: the device of a tensor whose class makes one up; then the
  /// tensor is read although it is of a subclass. REQUIRES of such a one: its sizes are plain numbers.
  const char* read(PyObject* tensor, ErsatzTensorMeta& to, const ErsatzDevice* told = nullptr) const;
  /// The version counter; -1: the tensor has none.
  int64_t version(PyObject* tensor) const;

  std::optional<DType> dtype(PyObject* o) const;
  bool is_dtype(PyObject* o) const { return Py_TYPE(o) == dtype_type_; }  ///< one that exists here or not
  std::optional<int64_t> memory_format(PyObject* o) const;
  bool is_device(PyObject* o) const { return Py_TYPE(o) == device_type_; }
  /// False: of a type that is unknown here. A device of metadata goes by the thread's choice of rules
  /// (runtime/base/other_devices.h).
  bool device(PyObject* o, ErsatzDevice& to) const;
  bool is_layout(PyObject* o) const { return Py_TYPE(o) == layout_type_; }
  bool is_strided(PyObject* o) const { return o == strided_; }
  bool is_generator(PyObject* o) const { return PyObject_TypeCheck(o, generator_type_); }
  bool is_symbol(PyObject* o) const;  ///< SymInt, SymFloat, SymBool
  DType default_dtype() const;
  TorchVersion running() const { return running_; }  ///< the version that is imported
  RuleContext context() const;                       ///< the default dtype, and that version

 private:
  TorchLibrary();
  void find_functions();
  void find_places();
  void find_keys();
  void find_objects();
  /// The device of a tensor that is on none of cpu, cuda and meta. False: it is unknown here.
  bool other_device(PyObject* tensor, int32_t type, int32_t index, ErsatzDevice& to) const;

  using Handle = void*;  // address of a pointer to the tensor's object: the layout of an at::Tensor
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
  size_t impl_at_ = 0, storage_at_ = 0, keys_at_ = 0;        ///< in words
  uint64_t conj_ = 0, neg_ = 0, opaque_ = 0, subclass_ = 0;  ///< bits of the keys
  std::unordered_map<uint64_t, std::string> opaque_names_;
  mutable std::unordered_map<int32_t, std::string>
      device_names_;  ///< of other devices, by PyTorch's number of the type
  PyTypeObject *base_type_ = nullptr, *tensor_type_ = nullptr, *parameter_type_ = nullptr, *device_type_ = nullptr,
               *layout_type_ = nullptr, *dtype_type_ = nullptr, *generator_type_ = nullptr, *symbols_[3] = {};
  PyObject *strided_ = nullptr, *version_getter_ = nullptr, *default_dtype_ = nullptr;
  TorchVersion running_;
  std::unordered_map<PyObject*, DType> dtypes_;
  std::unordered_map<PyObject*, int64_t> memory_formats_;
};

}  // namespace ersatz::python
