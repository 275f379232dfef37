#include "python/module/values.h"

#include <nanobind/stl/complex.h>
#include <nanobind/stl/string.h>

#include "python/module/arrays.h"
#include "python/module/tensor_object.h"

namespace ersatz::python {
namespace {

[[noreturn]] void refuse(PyObject* object, const SchemaType& type) {
  fail(ErrorKind::InvalidArgument, ErrorFamily::Type, "a {} is no {}", Py_TYPE(object)->tp_name, to_string(type));
}

Value text_value(PyObject* object, const SchemaType& type) {
  Py_ssize_t n = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(object, &n);
  if (!bytes) throw nb::python_error();
  const std::string_view text(bytes, static_cast<size_t>(n));
  if (type.base == BaseType::ScalarType) {
    if (const std::optional<DType> t = dtype_named(text)) return Value(*t);
    fail(ErrorKind::InvalidArgument, ErrorFamily::Type, "there is no dtype '{}': there are f32, float32, i64, ...",
         text);
  } else if (type.base == BaseType::MemoryFormat) {
    if (const std::optional<MemoryFormat> f = parse_memory_format(text)) return Value(*f);
  } else if (type.base == BaseType::Layout) {
    if (text == "strided") return Value(Layout::Strided);
  }
  return Value(text);
}

Value integer_value(PyObject* o) {
  int overflow = 0;
  const long long v = PyLong_AsLongLongAndOverflow(o, &overflow);
  if (overflow) fail(ErrorKind::InvalidArgument, ErrorFamily::Runtime, "an int of more than 64 bits");
  return Value(static_cast<int64_t>(v));
}

/// Appends the items to `to` if all of them are ints that fit a SymInt. Otherwise appends nothing and returns false.
bool read_ints(PyObject* const* items, size_t n, IntRoom& to) {
  const size_t before = to.size();
  for (size_t i = 0; i < n; ++i) {
    const bool is_int = PyLong_CheckExact(items[i]);
    int overflow = 0;
    const int64_t v = is_int ? PyLong_AsLongLongAndOverflow(items[i], &overflow) : 0;
    if (!is_int || overflow || !SymInt::holds(v)) return to.resize(before), false;
    to.push_back(SymInt(v));
  }
  return true;
}

Value sequence_value(PyObject* o, const SchemaType& type, IntRoom& ints) {
  const auto n = static_cast<size_t>(PySequence_Fast_GET_SIZE(o));
  PyObject* const* const items = PySequence_Fast_ITEMS(o);
  const SymInt* const first = ints.end();
  if (ints.size() + n <= kIntRoom && read_ints(items, n, ints)) return Value::borrow(std::span(first, n));
  InlineVec<Value, 8> values;
  for (size_t i = 0; i < n; ++i) values.push_back(value_of(items[i], type, ints));
  return Value::packed(std::span<const Value>(values.begin(), n));
}

}  // namespace

Value value_of(PyObject* o, const SchemaType& type, IntRoom& ints) {
  if (const Tensor* t = tensor_in(o)) return *t ? Value::borrow(*t) : Value();
  if (o == Py_None) return {};
  if (PyBool_Check(o)) return Value(o == Py_True);
  if (PyLong_Check(o)) return integer_value(o);
  if (PyFloat_Check(o)) return Value(PyFloat_AS_DOUBLE(o));
  if (PyUnicode_Check(o)) return text_value(o, type);
  if (PyList_Check(o) || PyTuple_Check(o)) return sequence_value(o, type, ints);
  if (PyComplex_Check(o)) return Value(std::complex<double>(PyComplex_RealAsDouble(o), PyComplex_ImagAsDouble(o)));
  if (is_array(o)) return Value(tensor_of_array(o));
  if (PyIndex_Check(o)) return integer_value(nb::steal(PyNumber_Index(o)).ptr());
  if (const nb::object number = number_of_array_scalar(o)) return value_of(number.ptr(), type, ints);
  refuse(o, type);
}

PyObject* object_of(Value v, std::span<const Value> arguments, PyObject* const* objects) {
  using Kind = Value::Kind;
  const auto list = [&](const auto& items, auto&& each) {
    nb::object all = nb::steal(PyList_New(static_cast<Py_ssize_t>(items.size())));
    Py_ssize_t at = 0;
    for (const auto& item : items) PyList_SET_ITEM(all.ptr(), at++, each(item));
    return all.release().ptr();
  };
  switch (v.kind()) {
    case Kind::None:
      return nb::none().release().ptr();
    case Kind::Tensor:
      for (size_t i = 0; i < arguments.size(); ++i) {
        if (!arguments[i].is_tensor() || arguments[i].tensor_impl() != v.tensor_impl()) continue;
        if (objects[i] && tensor_in(objects[i])) return nb::borrow(objects[i]).release().ptr();
      }
      return object_of(v.take_tensor());
    case Kind::Bool:
      return nb::bool_(v.as_bool()).release().ptr();
    case Kind::Int:
      if (v.is_symbolic_int()) return nb::cast(to_string(v)).release().ptr();
      return PyLong_FromLongLong(v.as_int64());
    case Kind::Float:
      return PyFloat_FromDouble(v.as_double());
    case Kind::Complex:
      return nb::cast(v.as_complex()).release().ptr();
    case Kind::IntList:
      return list(v.as_ints(), [](SymInt i) { return PyLong_FromLongLong(i.guard_int()); });
    case Kind::List:
      return list(v.as_list(), [&](const Value& item) { return object_of(item, arguments, objects); });
    default:
      return nb::cast(to_string(v)).release().ptr();
  }
}

}  // namespace ersatz::python
