#include "python/module/torch_library.h"

#include <dlfcn.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/plugin/codes.h"
#include "runtime/tensor/tensor_meta.h"

namespace ersatz::python {
namespace {

/// Returns the dtype with this c10::ScalarType. A dtype that records cannot hold has 0 bits.
ErsatzDType dtype_of_scalar_type(int32_t scalar_type) {
  const std::optional<DType> dtype = dtype_of_c10(scalar_type);
  return dtype ? to_c(*dtype) : ErsatzDType{};
}

[[noreturn]] void refuse(std::string_view what) {
  const std::string version = nb::cast<std::string>(nb::str(nb::module_::import_("torch").attr("__version__")));
  fail(ErrorKind::NotSupported, ErrorFamily::Runtime,
       "torch {}: {}; ersatz.torch is made for PyTorch 2.9 to 2.15, on Linux", version, what);
}

/// Returns ersatz's name for a device type: `privateuseone` if the type is PyTorch's PrivateUse1 under the name of a
/// backend that ersatz does not know; else `type`.
std::string name_here(const std::string& type) {
  if (parse_device(type)) return type;
  const nb::object free = nb::module_::import_("torch").attr("_C").attr("_get_privateuse1_backend_name")();
  return type == nb::cast<std::string>(free) ? "privateuseone" : type;
}

/// Reads a metadata-only device. Returns false if ersatz has no device of this name and index.
bool reported_as_other(const std::string& name, int32_t index, ErsatzDevice& to) {
  const std::optional<Device> device = parse_device(fmt::format("{}:{}", name, std::max(index, 0)));
  if (device) to = to_c(*device);
  return device.has_value();
}

uint64_t word(const void* object, size_t at) { return static_cast<const uint64_t*>(object)[at]; }

/// Returns the offset, in words, at which each of the objects has its known value.
size_t place_of(std::span<const std::pair<const void*, uint64_t>> known, size_t from, size_t words, const char* what) {
  for (size_t at = from; at < words; ++at) {
    bool everywhere = true;
    for (const auto& [object, value] : known) everywhere &= word(object, at) == value;
    if (everywhere) return at;
  }
  refuse(fmt::format("where a tensor keeps {} was not found", what));
}

uint64_t address(nb::handle o) { return nb::cast<uint64_t>(o); }

}  // namespace

const TorchLibrary& TorchLibrary::get() {
  static const TorchLibrary* library = nullptr;  // never freed, because it has Python objects
  if (!library) library = new TorchLibrary;
  return *library;
}

TorchLibrary::TorchLibrary() {
  find_objects();
  find_functions();
  find_places();
  find_keys();
}

void TorchLibrary::find_functions() {
  const std::string folder = nb::cast<std::string>(
      nb::module_::import_("os.path").attr("dirname")(nb::module_::import_("torch").attr("__file__")));
  void* library = nullptr;
  for (const char* name : {"/lib/libtorch_cpu.so", "/lib/libtorch.so"}) {
    if ((library = dlopen((folder + name).c_str(), RTLD_NOLOAD | RTLD_LAZY))) break;
  }
  const auto find = [&](auto& function, const char* name) {
    void* symbol = library ? dlsym(library, name) : nullptr;
    if (!symbol) symbol = dlsym(RTLD_DEFAULT, name);
    if (!symbol) refuse(fmt::format("its library has no function {}", name));
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(symbol);
  };
  find(functions_.sizes, "aoti_torch_get_sizes");
  find(functions_.strides, "aoti_torch_get_strides");
  find(functions_.dim, "aoti_torch_get_dim");
  find(functions_.dtype, "aoti_torch_get_dtype");
  find(functions_.device_type, "aoti_torch_get_device_type");
  find(functions_.device_index, "aoti_torch_get_device_index");
  find(functions_.layout, "aoti_torch_get_layout");
  find(functions_.offset, "aoti_torch_get_storage_offset");
  find(functions_.storage_bytes, "aoti_torch_get_storage_size");
  find(functions_.device_cpu, "aoti_torch_device_type_cpu");
  find(functions_.device_cuda, "aoti_torch_device_type_cuda");
  find(functions_.device_meta, "aoti_torch_device_type_meta");
  find(functions_.layout_strided, "aoti_torch_layout_strided");
  cpu_ = functions_.device_cpu();
  cuda_ = functions_.device_cuda();
  meta_ = functions_.device_meta();
  layout_ = functions_.layout_strided();
}

void TorchLibrary::find_places() {
  const nb::object torch = nb::module_::import_("torch");
  const nb::object keys_of = torch.attr("_C").attr("_dispatch_keys");
  const nb::object tensors[] = {
      torch.attr("empty")(nb::make_tuple(2, 3)), torch.attr("empty")(nb::make_tuple(5), nb::arg("device") = "meta"),
      torch.attr("empty")(nb::make_tuple(7), nb::arg("dtype") = torch.attr("complex64")).attr("conj")()};
  std::vector<std::pair<const void*, uint64_t>> objects, storages, keys;
  for (const nb::object& t : tensors) objects.emplace_back(t.ptr(), address(t.attr("_cdata")));
  const size_t words = static_cast<size_t>(base_type_->tp_basicsize) / sizeof(uint64_t);
  impl_at_ = place_of(objects, sizeof(PyObject) / sizeof(uint64_t), words, "its object");
  for (size_t i = 0; i < std::size(tensors); ++i) {
    const void* const impl = reinterpret_cast<const void*>(objects[i].second);
    storages.emplace_back(impl, address(tensors[i].attr("untyped_storage")().attr("_cdata")));
    keys.emplace_back(impl, address(keys_of(tensors[i]).attr("raw_repr")()));
  }
  // A TensorImpl has at least this many words, because its inline sizes and strides take ten.
  constexpr size_t kWords = 24;
  storage_at_ = place_of(storages, 1, kWords, "its storage");
  keys_at_ = place_of(keys, 1, kWords, "its dispatch keys");
}

void TorchLibrary::find_keys() {
  const nb::object c = nb::module_::import_("torch").attr("_C");
  const auto bits = [&](const char* name) {
    const nb::object key = nb::getattr(c.attr("DispatchKey"), name, nb::none());
    return key.is_none() ? uint64_t(0) : address(c.attr("DispatchKeySet")(key).attr("raw_repr")());
  };
  // The keys of a backend include the backend's bit. The bits of dense CPU, CUDA and Meta tensors do not make a tensor
  // special.
  const uint64_t dense = bits("CPU") | bits("CUDA") | bits("Meta");
  conj_ = bits("Conjugate");
  neg_ = bits("Negative");
  constexpr std::pair<const char*, const char*> kOpaque[] = {{"Functionalize", "functional wrapper"},
                                                             {"FuncTorchBatched", "functorch wrapper"},
                                                             {"FuncTorchGradWrapper", "functorch wrapper"},
                                                             {"Batched", "functorch wrapper"},
                                                             {"BatchedNestedTensor", "functorch wrapper"},
                                                             {"NestedTensorCPU", "nested tensor"},
                                                             {"QuantizedCPU", "quantized tensor"},
                                                             {"SparseCPU", "sparse layout"},
                                                             {"SparseCsrCPU", "sparse layout"},
                                                             {"ZeroTensor", "zero tensor"},
                                                             {"Python", "tensor subclass"}};
  for (const auto& [key, words] : kOpaque) {
    const uint64_t b = bits(key) & ~dense;
    if (!b) continue;
    opaque_ |= b;
    opaque_names_.emplace(b, words);
  }
  subclass_ = bits("Python") & ~dense;
  if (!conj_ || !neg_ || !opaque_) refuse("its dispatch keys are unknown");
}

void TorchLibrary::find_objects() {
  const nb::object torch = nb::module_::import_("torch");
  const auto type = [](nb::object o) { return reinterpret_cast<PyTypeObject*>(o.release().ptr()); };
  base_type_ = type(torch.attr("_C").attr("TensorBase"));
  tensor_type_ = type(torch.attr("Tensor"));
  parameter_type_ = type(torch.attr("nn").attr("Parameter"));
  device_type_ = type(torch.attr("device"));
  dtype_type_ = type(torch.attr("dtype"));
  layout_type_ = type(torch.attr("layout"));
  generator_type_ = type(torch.attr("Generator"));
  constexpr const char* symbols[] = {"SymInt", "SymFloat", "SymBool"};
  for (size_t i = 0; i < 3; ++i) symbols_[i] = type(torch.attr(symbols[i]));
  strided_ = torch.attr("strided").inc_ref().ptr();
  version_getter_ = nb::object(nb::handle(reinterpret_cast<PyObject*>(base_type_)).attr("_version")).release().ptr();
  default_dtype_ = nb::object(torch.attr("get_default_dtype")).release().ptr();
  running_ = torch_version(nb::cast<std::string>(nb::str(torch.attr("__version__")))).value_or(TorchVersion());
  for (int i = 0; i < kDTypeCount; ++i) {
    const std::string name(long_name(static_cast<DType>(i)));
    dtypes_.emplace(nb::object(torch.attr(name.c_str())).release().ptr(), static_cast<DType>(i));
  }
  constexpr std::pair<const char*, MemoryFormat> formats[] = {{"contiguous_format", MemoryFormat::Contiguous},
                                                              {"preserve_format", MemoryFormat::Preserve},
                                                              {"channels_last", MemoryFormat::ChannelsLast},
                                                              {"channels_last_3d", MemoryFormat::ChannelsLast3d}};
  for (const auto& [name, format] : formats) {
    memory_formats_.emplace(nb::object(torch.attr(name)).release().ptr(), static_cast<int64_t>(format));
  }
}

const char* TorchLibrary::read(PyObject* tensor, ErsatzTensorMeta& to, const ErsatzDevice* told) const {
  void* impl = reinterpret_cast<void*>(word(tensor, impl_at_));
  if (!impl) return "undefined tensor";
  const uint64_t keys = word(impl, keys_at_);
  if (const uint64_t found = keys & (told ? opaque_ & ~subclass_ : opaque_)) [[unlikely]] {
    for (const auto& [bits, name] : opaque_names_) {
      if (found & bits) return name.c_str();
    }
  }
  const Handle handle = &impl;
  int32_t layout = -1, dtype = -1, device_type = -1, device_index = 0;
  functions_.layout(handle, &layout);
  if (layout != layout_) return "sparse layout";
  functions_.dtype(handle, &dtype);
  to.dtype = dtype_of_scalar_type(dtype);
  if (!to.dtype.bits) return "dtype";
  if (!told) functions_.device_type(handle, &device_type);
  if (told) {
    to.device = *told;
  } else if (device_type == cpu_) {
    to.device = {1, 0};
  } else if (device_type == cuda_) {
    functions_.device_index(handle, &device_index);
    to.device = {2, device_index};
  } else if (device_type == meta_) {
    to.device = {12, 0};
  } else {
    functions_.device_index(handle, &device_index);
    if (!other_device(tensor, device_type, device_index, to.device)) return "device";
  }
  int64_t dim = 0;
  functions_.dim(handle, &dim);
  to.ndim = static_cast<int32_t>(dim);
  int64_t *sizes = nullptr, *strides = nullptr;
  if (functions_.sizes(handle, &sizes) || functions_.strides(handle, &strides)) return "symbolic sizes";
  to.sizes = sizes;
  to.strides = strides;
  functions_.offset(handle, &to.offset);
  functions_.storage_bytes(handle, &to.storage_bytes);
  to.flags = (keys & conj_ ? uint32_t(ERSATZ_CONJ) : 0u) | (keys & neg_ ? uint32_t(ERSATZ_NEG) : 0u);
  to.storage = word(impl, storage_at_);
  to.object = reinterpret_cast<uint64_t>(impl);
  return nullptr;
}

int64_t TorchLibrary::version(PyObject* tensor) const {
  const auto* getter = reinterpret_cast<PyGetSetDescrObject*>(version_getter_);
  PyObject* const v = getter->d_getset->get(tensor, getter->d_getset->closure);
  if (!v) {  // the tensor was made in inference mode
    PyErr_Clear();
    return -1;
  }
  const int64_t version = PyLong_AsLongLong(v);
  Py_DECREF(v);
  return version;
}

std::optional<DType> TorchLibrary::dtype(PyObject* o) const {
  const auto at = dtypes_.find(o);
  return at == dtypes_.end() ? std::nullopt : std::optional(at->second);
}

std::optional<int64_t> TorchLibrary::memory_format(PyObject* o) const {
  const auto at = memory_formats_.find(o);
  return at == memory_formats_.end() ? std::nullopt : std::optional(at->second);
}

bool TorchLibrary::device(PyObject* o, ErsatzDevice& to) const {
  const nb::handle device(o);
  const std::string type = nb::cast<std::string>(device.attr("type"));
  const nb::object index = device.attr("index");
  const int32_t n = index.is_none() ? -1 : nb::cast<int32_t>(index);
  to = {type == "cpu" ? 1 : type == "cuda" ? 2 : type == "meta" ? 12 : 0, type == "cuda" ? n : 0};
  return to.type != 0 || reported_as_other(name_here(type), n, to);
}

bool TorchLibrary::other_device(PyObject* tensor, int32_t type, int32_t index, ErsatzDevice& to) const {
  const auto [name, is_new] = device_names_.try_emplace(type);
  if (is_new) name->second = name_here(nb::cast<std::string>(nb::handle(tensor).attr("device").attr("type")));
  return reported_as_other(name->second, index, to);
}

bool TorchLibrary::is_symbol(PyObject* o) const {
  return Py_TYPE(o) == symbols_[0] || Py_TYPE(o) == symbols_[1] || Py_TYPE(o) == symbols_[2];
}

RuleContext TorchLibrary::context() const {
  RuleContext context;
  context.default_dtype = default_dtype();
  context.torch = running_;
  return context;
}

DType TorchLibrary::default_dtype() const {
  PyObject* const t = PyObject_CallNoArgs(default_dtype_);
  if (!t) throw nb::python_error();
  const std::optional<DType> known = dtype(t);
  Py_DECREF(t);
  return known.value_or(DType::F32);
}

}  // namespace ersatz::python
