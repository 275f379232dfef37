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
}

nb::object TorchFakes::attribute(PyObject* fake, PyObject* name) const {
  const nb::object dict = nb::steal(PyObject_GenericGetDict(fake, nullptr));
  PyObject* const found = dict.is_valid() ? PyDict_GetItemWithError(dict.ptr(), name) : nullptr;
  if (!found) PyErr_Clear();
  return found ? nb::borrow(found) : nb::none();
}

const char* TorchFakes::read(PyObject* fake, ErsatzTensorMeta& to) const {
  const auto* getter = reinterpret_cast<PyGetSetDescrObject*>(symbolic_getter_);
  const nb::object symbolic = nb::steal(getter->d_getset->get(fake, getter->d_getset->closure));
  if (!symbolic.is_valid()) PyErr_Clear();
  if (symbolic.ptr() != Py_False) return "symbolic sizes";
  const nb::object device = attribute(fake, device_);
  ErsatzDevice told = {};
  if (!torch_.is_device(device.ptr()) || !torch_.device(device.ptr(), told)) return "device";
  if (told.type == 2 && told.index < 0) told.index = 0;
  return torch_.read(fake, to, &told);
}

bool TorchFakes::is_more_than_metadata(PyObject* fake) const {
  for (PyObject* name : beside_) {
    if (!attribute(fake, name).is_none()) return true;
  }
  return false;
}

}  // namespace ersatz::python
