#include "python/module/torch_values.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <set>
#include <string>

#include "runtime/plugin/codes.h"

namespace ersatz::python {

namespace {

/// Returns a reason with its subject: `dtype float8_e4m3fn` or `device xpu:0`. The text lives as long as the process.
const char* named(std::string_view what, nb::handle of) {
  static std::set<std::string> reasons;  // guarded by the GIL
  std::string text = nb::cast<std::string>(nb::str(of));
  if (text.starts_with("torch.")) text.erase(0, 6);
  return reasons.insert(fmt::format("{} {}", what, text)).first->c_str();
}

/// Adds the tensor's dtype or device to the reason if the reason is about one.
const char* named_of_tensor(const char* why, PyObject* tensor) {
  const std::string_view what = why;
  return what == "dtype" || what == "device" ? named(what, nb::handle(tensor).attr(why)) : why;
}

}  // namespace

bool has_complex(std::span<const ErsatzValue> values) {
  constexpr uint8_t kComplexCode = 5;
  return std::any_of(values.begin(), values.end(), [](const ErsatzValue& v) {
    return v.kind == ERSATZ_TENSOR ? v.as.meta->dtype.code == kComplexCode
                                   : v.kind == ERSATZ_LIST && has_complex({v.as.items, v.length});
  });
}

void TorchValues::clear() {
  metas_.clear();
  integers_.clear();
  items_.clear();
  flat_.clear();
  tensors_.clear();
  results_ = 0;
  opaque_ = nullptr;
  subclass_ = nullptr;
}

ErsatzValue TorchValues::unknown(const char* why) {
  if (!opaque_) opaque_ = why;
  return {};
}

ErsatzValue TorchValues::value(PyObject* o) {
  ErsatzValue v = {};
  if (o == Py_None) return v;
  if (torch_.is_tensor(o)) {
    ErsatzTensorMeta* const meta = metas_.take();
    return tensor(o, torch_.read(o, *meta), meta);
  }
  if (PyBool_Check(o)) return v.kind = ERSATZ_BOOL, v.as.integer = o == Py_True, v;
  if (PyLong_Check(o)) {
    int overflow = 0;
    v.kind = ERSATZ_INT;
    v.as.integer = PyLong_AsLongLongAndOverflow(o, &overflow);
    return overflow ? unknown("int of more than 64 bits") : v;
  }
  if (PyFloat_Check(o)) return v.kind = ERSATZ_FLOAT, v.as.number[0] = PyFloat_AS_DOUBLE(o), v;
  if (PyList_Check(o)) return list(reinterpret_cast<PyListObject*>(o)->ob_item, PyList_GET_SIZE(o));
  if (PyTuple_Check(o)) return list(reinterpret_cast<PyTupleObject*>(o)->ob_item, PyTuple_GET_SIZE(o));
  if (const std::optional<DType> t = torch_.dtype(o)) return v.kind = ERSATZ_DTYPE, v.as.dtype = to_c(*t), v;
  if (torch_.is_device(o)) {
    v.kind = ERSATZ_DEVICE;
    return torch_.device(o, v.as.device) ? v : unknown(named("device", o));
  }
  if (torch_.is_layout(o)) return torch_.is_strided(o) ? (v.kind = ERSATZ_LAYOUT, v) : unknown("sparse layout");
  if (const auto f = torch_.memory_format(o)) return v.kind = ERSATZ_MEMORY_FORMAT, v.as.integer = *f, v;
  if (PyUnicode_Check(o)) {
    Py_ssize_t n = 0;
    v.kind = ERSATZ_STRING;
    v.as.string = PyUnicode_AsUTF8AndSize(o, &n);
    v.length = static_cast<uint32_t>(n);
    if (!v.as.string) PyErr_Clear();
    return v.as.string ? v : unknown("string");
  }
  if (PyComplex_Check(o)) {
    v.kind = ERSATZ_COMPLEX;
    v.as.number[0] = PyComplex_RealAsDouble(o), v.as.number[1] = PyComplex_ImagAsDouble(o);
    return v;
  }
  if (torch_.is_generator(o)) return v.kind = ERSATZ_GENERATOR, v;
  if (torch_.is_symbol(o)) return unknown("symbolic sizes");
  if (fakes_ && fakes_->is_fake(o)) {
    ErsatzTensorMeta* const meta = metas_.take();
    return tensor(o, fakes_->read(o, *meta), meta);
  }
  if (torch_.is_any_tensor(o)) {
    if (!subclass_) subclass_ = Py_TYPE(o);
    return unknown("tensor subclass");
  }
  return unknown(torch_.is_dtype(o) ? named("dtype", o) : Py_TYPE(o)->tp_name);
}

ErsatzValue TorchValues::tensor(PyObject* o, const char* why, const ErsatzTensorMeta* meta) {
  if (why) return unknown(named_of_tensor(why, o));
  tensors_.push_back(o);
  ErsatzValue v = {};
  v.kind = ERSATZ_TENSOR;
  v.as.meta = meta;
  return v;
}

ErsatzValue TorchValues::list(PyObject* const* items, Py_ssize_t n) {
  ErsatzValue v = {};
  v.length = static_cast<uint32_t>(n);
  bool integers = n > 0;
  for (Py_ssize_t i = 0; i < n && integers; ++i) integers = PyLong_CheckExact(items[i]);
  if (integers) {
    int64_t* const to = integers_.take(static_cast<size_t>(n));
    int overflow = 0;
    for (Py_ssize_t i = 0; i < n && !overflow; ++i) to[i] = PyLong_AsLongLongAndOverflow(items[i], &overflow);
    v.kind = ERSATZ_INT_LIST;
    v.as.integers = to;
    return overflow ? unknown("int of more than 64 bits") : v;
  }
  ErsatzValue* const to = items_.take(static_cast<size_t>(n));
  for (Py_ssize_t i = 0; i < n; ++i) to[i] = value(items[i]);
  v.kind = ERSATZ_LIST;
  v.as.items = to;
  return v;
}

const char* TorchValues::bind(const FunctionSchema& schema, PyObject* args, PyObject* kwargs,
                              std::vector<ErsatzValue>& to) {
  to.assign(schema.arguments.size(), ErsatzValue{ERSATZ_ABSENT, 0, {}});
  const auto n = static_cast<size_t>(PyTuple_GET_SIZE(args));
  if (n > to.size()) return "another schema";
  for (size_t i = 0; i < n; ++i) to[i] = value(PyTuple_GET_ITEM(args, static_cast<Py_ssize_t>(i)));
  if (kwargs && PyDict_Size(kwargs) > 0) {
    PyObject *key = nullptr, *item = nullptr;
    std::vector<PyObject*> given(to.size());
    for (Py_ssize_t at = 0; PyDict_Next(kwargs, &at, &key, &item);) {
      const char* name = PyUnicode_AsUTF8(key);
      const int i = name ? schema.find_argument(name) : -1;
      if (i < 0) return "another schema";
      given[static_cast<size_t>(i)] = item;
    }
    for (size_t i = 0; i < given.size(); ++i) {  // schema order is the order of the call's tensors
      if (given[i]) to[i] = value(given[i]);
    }
  }
  return opaque();
}

void TorchValues::flatten(PyObject* o) {
  if (PyTuple_Check(o) || PyList_Check(o)) {
    const nb::handle sequence(o);
    for (nb::handle item : sequence) flatten(item.ptr());
  } else {
    flat_.push_back(value(o));
    results_ += o != Py_None;
  }
}

}  // namespace ersatz::python
