#include "python/module/values.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/complex.h>
#include <nanobind/stl/string.h>

#include "runtime/op/value_checks.h"
#include "runtime/plugin/codes.h"
#include "runtime/tensor/layout.h"

namespace ersatz::python {
namespace {

[[noreturn]] void refuse(nb::handle object, const SchemaType& type) {
  fail(ErrorKind::InvalidArgument, ErrorFamily::Type, "a {} is no {}", nb::type_name(object.type()).c_str(),
       to_string(type));
}

/// Names of dtypes: `f32` and `float32`.
std::optional<DType> dtype_named(std::string_view text) {
  if (const std::optional<DType> t = parse_dtype(text)) return t;
  for (int i = 0; i < kDTypeCount; ++i) {
    if (long_name(static_cast<DType>(i)) == text) return static_cast<DType>(i);
  }
  return std::nullopt;
}

Value text_value(std::string_view text, const SchemaType& type) {
  if (type.base == BaseType::ScalarType) {
    if (const std::optional<DType> t = dtype_named(text)) return Value(*t);
  } else if (type.base == BaseType::MemoryFormat) {
    if (const std::optional<MemoryFormat> f = parse_memory_format(text)) return Value(*f);
  } else if (type.base == BaseType::Layout) {
    if (text == "strided") return Value(Layout::Strided);
  }
  return Value(text);
}

Value sequence_value(nb::handle object, const SchemaType& type) {
  std::vector<Value> items;
  for (nb::handle item : object) items.push_back(value_of(item, type));
  return Value::packed(items);
}

}  // namespace

Value value_of(nb::handle object, const SchemaType& type) {
  PyObject* const o = object.ptr();
  if (o == Py_None) return {};
  Tensor* tensor = nullptr;
  if (nb::try_cast<Tensor*>(object, tensor) && tensor) return Value(*tensor);
  if (PyBool_Check(o)) return Value(o == Py_True);
  if (PyLong_Check(o)) {
    int overflow = 0;
    const long long v = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (overflow) fail(ErrorKind::InvalidArgument, ErrorFamily::Runtime, "an int of more than 64 bits");
    return Value(static_cast<int64_t>(v));
  }
  if (PyFloat_Check(o)) return Value(PyFloat_AS_DOUBLE(o));
  if (PyComplex_Check(o)) return Value(std::complex<double>(PyComplex_RealAsDouble(o), PyComplex_ImagAsDouble(o)));
  if (PyUnicode_Check(o)) return text_value(nb::cast<std::string>(object), type);
  if (PyList_Check(o) || PyTuple_Check(o)) return sequence_value(object, type);
  if (nb::hasattr(object, "__dlpack__") || nb::hasattr(object, "__array_interface__")) {
    return Value(tensor_of_array(object));
  }
  if (PyIndex_Check(o)) return value_of(nb::steal(PyNumber_Index(o)), type);
  refuse(object, type);
}

nb::object object_of(const Value& v, std::span<const nb::handle> arguments) {
  using Kind = Value::Kind;
  switch (v.kind()) {
    case Kind::None:
      return nb::none();
    case Kind::Tensor: {
      for (const nb::handle argument : arguments) {
        Tensor* t = nullptr;
        if (nb::try_cast<Tensor*>(argument, t) && t && t->impl() == v.tensor_impl()) return nb::borrow(argument);
      }
      return nb::cast(v.tensor());
    }
    case Kind::Bool:
      return nb::bool_(v.as_bool());
    case Kind::Int:
      return nb::int_(v.as_int64());
    case Kind::Float:
      return nb::float_(v.as_double());
    case Kind::Complex:
      return nb::cast(v.as_complex());
    case Kind::IntList: {
      nb::list items;
      for (const SymInt i : v.as_ints()) items.append(nb::int_(i.guard_int()));
      return items;
    }
    case Kind::List: {
      nb::list items;
      for (const Value& item : v.as_list()) items.append(object_of(item, arguments));
      return items;
    }
    default:
      return nb::cast(to_string(v));
  }
}

Tensor tensor_of_array(nb::handle array) {
  using Array = nb::ndarray<>;
  auto held = std::make_unique<Array>();
  if (!nb::try_cast(array, *held)) {
    fail(ErrorKind::InvalidArgument, ErrorFamily::Type, "a {} cannot be read as an array",
         nb::type_name(array.type()).c_str());
  }
  const nb::dlpack::dtype t = held->dtype();
  const std::optional<DType> dtype = dtype_from_c({t.code, t.bits, t.lanes});
  if (!dtype) fail_argument("an array of a dtype of code {} and {} bits: there is none here", int(t.code), int(t.bits));
  const std::optional<Device> device = device_from_c({held->device_type(), held->device_id()});
  if (!device) fail_argument("an array on a device of type {}: there is none here", held->device_type());
  DimVec sizes, strides;
  int64_t last = 0;
  for (size_t d = 0; d < held->ndim(); ++d) {
    if (held->stride(d) < 0) fail_argument("an array of a negative stride: no tensor has one; copy it first");
    sizes.push_back(static_cast<int64_t>(held->shape(d)));
    strides.push_back(held->stride(d));
    last += (static_cast<int64_t>(held->shape(d)) - 1) * held->stride(d);
  }
  const int64_t bytes = held->size() == 0 ? 0 : (last + 1) * item_size(*dtype);
  void* const data = held->data();
  Array* const context = held.release();
  const Ref<Storage> storage = Storage::wrap(
      data, bytes, *device,
      [](void* a) {
        const nb::gil_scoped_acquire gil;
        delete static_cast<Array*>(a);
      },
      context);
  return Tensor(TensorMeta(*dtype, sizes, strides, *device), storage);
}

}  // namespace ersatz::python
