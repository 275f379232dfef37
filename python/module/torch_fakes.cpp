#include "python/module/torch_fakes.h"

namespace ersatz::python {

TorchFakes::TorchFakes(const TorchLibrary& torch) : torch_(torch) {
  const nb::object type = nb::module_::import_("torch._subclasses.fake_tensor").attr("FakeTensor");
  // Never released, like the TorchFakes object itself.
  type_ = reinterpret_cast<PyTypeObject*>(nb::object(type).release().ptr());
  const nb::object base = nb::module_::import_("torch").attr("_C").attr("TensorBase");
  symbolic_getter_ = nb::object(base.attr("_has_symbolic_sizes_strides")).release().ptr();
  // In PyTorch 2.13 the member became a property, with the value under another name.
  device_ = PyUnicode_InternFromString(nb::hasattr(type, "fake_device") ? "_fake_device" : "fake_device");
  mode_ = PyUnicode_InternFromString("fake_mode");
  constexpr const char* beside[] = {"constant", "real_tensor", "dispatch_keys"};
  for (size_t i = 0; i < std::size(beside); ++i) beside_[i] = PyUnicode_InternFromString(beside[i]);
  // PyTorch 2.11 renamed it.
  examples_ = torch_.running() < TorchVersion{2, 11} ? "var_to_val" : "backed_var_to_val";
}

nb::object TorchFakes::attribute(PyObject* fake, PyObject* name) const {
  const nb::object dict = nb::steal(PyObject_GenericGetDict(fake, nullptr));
  PyObject* const found = dict.is_valid() ? PyDict_GetItemWithError(dict.ptr(), name) : nullptr;
  if (!found) PyErr_Clear();
  return found ? nb::borrow(found) : nb::none();
}

const char* const TorchFakes::kSymbolic = "symbolic sizes";

const char* TorchFakes::read(PyObject* fake, ErsatzTensorMeta& to) const {
  const auto* getter = reinterpret_cast<PyGetSetDescrObject*>(symbolic_getter_);
  const nb::object symbolic = nb::steal(getter->d_getset->get(fake, getter->d_getset->closure));
  if (!symbolic.is_valid()) PyErr_Clear();
  if (symbolic.ptr() != Py_False) return kSymbolic;
  ErsatzDevice told = {};
  if (!device(fake, told)) return "device";
  return torch_.read(fake, to, &told);
}

bool TorchFakes::device(PyObject* fake, ErsatzDevice& to) const {
  const nb::object device = attribute(fake, device_);
  if (!torch_.is_device(device.ptr())) return false;
  // Most fakes are on the device of the one before. Two objects for it compare faster than their names are read.
  if (last_.is_valid() && PyObject_RichCompareBool(device.ptr(), last_.ptr(), Py_EQ) == 1) {
    to = told_;
    return true;
  }
  if (!torch_.device(device.ptr(), to)) return false;
  if (to.type == 2 && to.index < 0) to.index = 0;
  if (to.type == 1 || to.type == 2) {  // the rules of other devices may be chosen anew
    last_ = device;
    told_ = to;
  }
  return true;
}

std::optional<int64_t> TorchFakes::example(nb::handle node, nb::handle symbol) const {
  const nb::object env = nb::getattr(node, "shape_env", nb::none());
  const nb::object examples = nb::getattr(env, examples_, nb::none());
  if (!PyDict_Check(examples.ptr())) return std::nullopt;
  PyObject* const found = PyDict_GetItemWithError(examples.ptr(), symbol.ptr());
  if (!found) {
    PyErr_Clear();
    return std::nullopt;
  }
  const nb::object number = nb::steal(PyNumber_Long(found));  // a sympy Integer; a Float is no size
  if (!number.is_valid() || !nb::getattr(nb::handle(found), "is_integer", nb::none()).is(nb::bool_(true))) {
    PyErr_Clear();
    return std::nullopt;
  }
  const int64_t n = PyLong_AsLongLong(number.ptr());
  if (n == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    return std::nullopt;
  }
  return n;
}

bool TorchFakes::is_more_than_metadata(PyObject* fake) const {
  for (PyObject* name : beside_) {
    if (!attribute(fake, name).is_none()) return true;
  }
  return false;
}

}  // namespace ersatz::python
