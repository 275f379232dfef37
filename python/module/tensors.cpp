// The class ersatz.Tensor: metadata and, if the tensor is real, data.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "fake/mode/active_fake_mode.h"
#include "fake/mode/fake_mode.h"
#include "python/module/arithmetic.h"
#include "python/module/arrays.h"
#include "python/module/autograd.h"
#include "python/module/tensor_object.h"
#include "python/module/values.h"
#include "runtime/plugin/codes.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::python {

PyTypeObject* g_tensor_type = nullptr;

namespace {

nb::tuple integers(std::span<const SymInt> from) {
  nb::list items;
  for (const SymInt i : from) {
    if (i.is_symbolic()) {
      items.append(nb::cast(to_string(i)));
    } else {
      items.append(nb::int_(i.as_int()));
    }
  }
  return nb::tuple(items);
}

std::string canonical(const Tensor& t) { return t ? to_string(t.meta()) : "undefined"; }

/// Returns the active fake mode. If there is none, returns one mode that all fakes made outside modes share.
FakeMode mode_for_fakes() {
  static const FakeMode shared;
  FakeModeState* const active = active_fake_mode();
  return active ? FakeMode(Ref<FakeModeState>(active)) : shared;
}

Tensor fake_of_text(const std::string& text) {
  MetaText parsed = parse_meta_text(text);
  parsed.meta.device = resolve(parsed.meta.device);
  return mode_for_fakes().make(std::move(parsed.meta), parsed.storage_bytes);
}

Tensor fake(const std::optional<std::string>& meta, nb::handle like) {
  if (meta.has_value() != like.is_none()) fail_argument("fake: give either metadata, 'f32[2,3]', or like=");
  if (meta) return fake_of_text(*meta);
  const Tensor* const known = tensor_in(like.ptr());
  const Tensor t = known ? *known : tensor_of_array(like);
  return mode_for_fakes().make(t.meta(), t.storage()->nbytes());
}

nb::object array(nb::handle self, nb::handle dtype, nb::handle copy) {
  const nb::object numpy = numpy_of(self);
  const bool same = dtype.is_none() || numpy.attr("dtype").equal(dtype);
  if (!same) {
    if (copy.is(nb::bool_(false))) fail_argument("another dtype needs a copy, which copy=False forbids");
    return numpy.attr("astype")(dtype);
  }
  return copy.is(nb::bool_(true)) ? numpy.attr("copy")() : numpy;
}

PyType_Slot* slots() { return tensor_operators; }

void bind_metadata(nb::class_<Tensor>& type) {
  type.def_prop_ro(
          "dtype", [](const Tensor& t) { return std::string(name(t.dtype())); }, "The short name: 'f32'.")
      .def_prop_ro(
          "device", [](const Tensor& t) { return to_string(t.device()); }, "'cpu', 'cuda:0', 'meta'.")
      .def_prop_ro(
          "shape", [](const Tensor& t) { return integers(t.sizes()); }, nb::sig("def shape(self) -> tuple[int, ...]"),
          "The sizes.")
      .def_prop_ro(
          "strides", [](const Tensor& t) { return integers(t.strides()); },
          nb::sig("def strides(self) -> tuple[int, ...]"), "In elements.")
      .def_prop_ro(
          "storage_offset", [](const Tensor& t) { return t.storage_offset().guard_int(); }, "In elements.")
      .def_prop_ro(
          "ndim", [](const Tensor& t) { return t.dim(); }, "The rank.")
      .def_prop_ro(
          "numel", [](const Tensor& t) { return t.numel().guard_int(); }, "How many elements.")
      .def_prop_ro(
          "is_fake", [](const Tensor& t) { return t.is_fake(); }, "Without data?")
      .def(
          "is_contiguous", [](const Tensor& t) { return t.is_contiguous(); }, "Row-major?")
      .def(
          "shares_storage", [](const Tensor& t, const Tensor& o) { return t.shares_storage(o); }, nb::arg("other"),
          "Are the two views of one storage?")
      .def("__repr__", &canonical)
      .def("__str__", [](const Tensor& t) { return to_string(t); });
}

void bind_data(nb::class_<Tensor>& type) {
  type.def(
          "item", [](nb::handle self) { return only_item(self.ptr()); },
          nb::sig("def item(self) -> bool | int | float | complex"),
          "The value of a tensor of one element. A fake has none: RuntimeError.")
      .def(
          "numpy", [](nb::handle self) { return numpy_of(self); }, nb::sig("def numpy(self) -> typing.Any"),
          "A NumPy array of the same memory. bf16 needs ml_dtypes.")
      .def("__array__", &array, nb::arg("dtype").none() = nb::none(), nb::arg("copy").none() = nb::none(),
           nb::sig("def __array__(self, dtype: typing.Any = None, copy: bool | None = None) -> "
                   "typing.Any"))
      .def(
          "__complex__",
          [](nb::handle self) {
            const nb::object v = only_item(self.ptr());
            return nb::steal(PyComplex_FromDoubles(PyComplex_RealAsDouble(v.ptr()), PyComplex_ImagAsDouble(v.ptr())));
          },
          nb::sig("def __complex__(self) -> complex"))
      .def(
          "__dlpack__", [](nb::handle self, nb::kwargs how) { return dlpack_of(self, how); },
          nb::sig("def __dlpack__(self, **kwargs: typing.Any) -> typing.Any"))
      .def(
          "__dlpack_device__",
          [](const Tensor& t) {
            const ErsatzDevice d = to_c(t.device());
            return nb::make_tuple(d.type, d.index);
          },
          nb::sig("def __dlpack_device__(self) -> tuple[int, int]"));
}

}  // namespace

void bind_tensors(nb::module_& m) {
  nb::class_<Tensor> type(m, "Tensor", nb::type_slots(slots()), nb::is_final(), nb::pooled(),
                          "A tensor, real or fake: metadata in ATen's terms, and data where it is real.\n\n"
                          "Operators of Python are the operators that PyTorch calls for them.");
  g_tensor_type = reinterpret_cast<PyTypeObject*>(type.ptr());
  bind_metadata(type);
  bind_data(type);
  bind_gradients(type);
  type.attr("__array_priority__") = 1000;  // so that `array + tensor` calls the tensor's operator, not NumPy's
  m.def("fake", &fake, nb::arg("meta").none() = nb::none(), nb::arg("like").none() = nb::none(),
        nb::sig("def fake(meta: str | None = None, like: typing.Any = None) -> Tensor"),
        "A fake tensor of that metadata: fake('f32[2,3]{1,2}@cuda:0'). Strides, offset and device may be left out.\n"
        "like: of the metadata of this tensor or array.");
  m.def(
      "from_dlpack", [](nb::handle array) { return tensor_of_array(array); }, nb::arg("array"),
      nb::sig("def from_dlpack(array: typing.Any) -> Tensor"),
      "A tensor on the memory of an array of another library, which is not copied: of what has __dlpack__, or the "
      "buffer protocol.");
}

}  // namespace ersatz::python
