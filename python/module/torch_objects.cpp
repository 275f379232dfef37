#include "python/module/torch_objects.h"

#include <nanobind/stl/complex.h>
#include <nanobind/stl/string.h>

#include "runtime/plugin/codes.h"

namespace ersatz::python {
namespace {

nb::object integers(const int64_t* from, int32_t n) {
  nb::object t = nb::steal(PyTuple_New(n));
  for (int32_t i = 0; i < n; ++i) PyTuple_SET_ITEM(t.ptr(), i, PyLong_FromLongLong(from[i]));
  return t;
}

const char* name_in_torch(MemoryFormat f) {
  constexpr const char* names[] = {"contiguous_format", "preserve_format", "channels_last", "channels_last_3d"};
  return names[static_cast<size_t>(f)];
}

template <class Items, class Each>
nb::object list_of(const Items& items, Each&& each) {
  nb::object all = nb::steal(PyList_New(static_cast<Py_ssize_t>(items.size())));
  Py_ssize_t at = 0;
  for (const auto& item : items) PyList_SET_ITEM(all.ptr(), at++, nb::object(each(item)).release().ptr());
  return all;
}

}  // namespace

TorchObjects::TorchObjects() : torch_(nb::module_::import_("torch")) {
  empty_strided_ = torch_.attr("empty_strided");
  storage_type_ = torch_.attr("UntypedStorage");
  set_conj_ = torch_.attr("_C").attr("_set_conj");
  set_neg_ = torch_.attr("_C").attr("_set_neg");
  how_ = nb::make_tuple("dtype", "device");
  meta_ = torch_.attr("device")("meta");
  nothing_ = nb::make_tuple();
}

nb::object TorchObjects::dtype(ErsatzDType t) {
  nb::object& known = dtypes_[{t.code, t.bits}];
  if (!known.is_valid()) known = torch_.attr(std::string(long_name(*dtype_from_c(t))).c_str());
  return known;
}

nb::object TorchObjects::device(ErsatzDevice d) {
  nb::object& known = devices_[{d.type, d.index}];
  if (known.is_valid()) return known;
  const nb::object type = torch_.attr("device");
  return known = d.type == 1 ? type("cpu") : d.type == 12 ? meta_ : d.index < 0 ? type("cuda") : type("cuda", d.index);
}

nb::object TorchObjects::meta_storage(int64_t bytes) { return storage_type_(bytes, nb::arg("device") = meta_); }

nb::object TorchObjects::meta_tensor(const ErsatzTensorMeta& t, nb::handle storage) {
  const nb::object sizes = integers(t.sizes, t.ndim), strides = integers(t.strides, t.ndim),
                   dtype = this->dtype(t.dtype);
  const bool own = !storage.is_valid();
  PyObject* const how[] = {own ? sizes.ptr() : nothing_.ptr(), own ? strides.ptr() : nothing_.ptr(), dtype.ptr(),
                           meta_.ptr()};
  nb::object meta = checked(PyObject_Vectorcall(empty_strided_.ptr(), how, 2, how_.ptr()));
  if (!own) meta.attr("set_")(storage, t.offset, sizes, strides);
  if (t.flags & ERSATZ_CONJ) set_conj_(meta, true);
  if (t.flags & ERSATZ_NEG) set_neg_(meta, true);
  return meta;
}

nb::object TorchObjects::argument(const Value& v, std::span<const Tensor> ours, std::span<const nb::object> tensors) {
  using Kind = Value::Kind;
  switch (v.kind()) {
    case Kind::Tensor:
      for (size_t i = 0; i < ours.size(); ++i) {
        if (ours[i].impl() == v.tensor_impl()) return tensors[i];
      }
      return nb::none();
    case Kind::Bool:
      return nb::bool_(v.as_bool());
    case Kind::Int:
      return nb::int_(v.as_int64());
    case Kind::Float:
      return nb::float_(v.as_double());
    case Kind::Complex:
      return nb::cast(v.as_complex());
    case Kind::String:
      return nb::cast(std::string(v.as_string()));
    case Kind::IntList:
      return list_of(v.as_ints(), [](SymInt i) { return nb::int_(i.guard_int()); });
    case Kind::List:
      return list_of(v.as_list(), [&](const Value& item) { return argument(item, ours, tensors); });
    case Kind::DType:
      return dtype(to_c(v.as_dtype()));
    case Kind::Device:
      return device(to_c(v.as_device()));
    case Kind::Layout:
      return torch_.attr("strided");
    case Kind::MemoryFormat:
      return torch_.attr(name_in_torch(v.as_memory_format()));
    default:
      return nb::none();
  }
}

}  // namespace ersatz::python
