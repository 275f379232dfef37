// ersatz.Tensor: metadata, and data where it is real.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include "fake/mode/active_fake_mode.h"
#include "fake/mode/fake_mode.h"
#include "python/module/values.h"
#include "runtime/plugin/codes.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::python {
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

/// The tensor's memory as an array of nanobind, which answers DLPack's questions.
nb::object array_of(nb::handle self) {
  const Tensor& t = nb::cast<const Tensor&>(self);
  if (t.meta().conj || t.meta().neg)
    fail_argument("{}: lazy bits cannot cross; call resolve_conj, resolve_neg first", t.meta());
  std::vector<size_t> sizes;
  std::vector<int64_t> strides;
  for (const SymInt s : t.sizes()) sizes.push_back(static_cast<size_t>(s.guard_int()));
  for (const SymInt s : t.strides()) strides.push_back(s.guard_int());
  const ErsatzDType code = to_c(t.dtype());
  const ErsatzDevice device = to_c(t.device());
  const nb::dlpack::dtype dtype{code.code, code.bits, code.lanes};
  nb::ndarray<> array(t.raw_data(), sizes.size(), sizes.data(), self, strides.data(), dtype, device.type, device.index);
  return nb::cast(array, nb::rv_policy::reference);
}

Tensor fake(const std::string& text) {
  static const FakeMode shared;  // of fakes that are made outside of every mode
  const MetaText parsed = parse_meta_text(text);
  const FakeModeState* const active = active_fake_mode();
  const FakeMode mode = active ? FakeMode(Ref<FakeModeState>(const_cast<FakeModeState*>(active))) : shared;
  TensorMeta meta = parsed.meta;
  meta.device = resolve(meta.device);
  return mode.make(std::move(meta), parsed.storage_bytes);
}

}  // namespace

void bind_tensors(nb::module_& m) {
  nb::class_<Tensor>(m, "Tensor", "A tensor, real or fake: metadata in ATen's terms, and data where it is real.")
      .def_prop_ro(
          "dtype", [](const Tensor& t) { return std::string(name(t.dtype())); }, "The short name: 'f32'.")
      .def_prop_ro(
          "device", [](const Tensor& t) { return to_string(t.device()); }, "'cpu', 'cuda:0', 'meta'.")
      .def_prop_ro(
          "shape", [](const Tensor& t) { return integers(t.sizes()); }, "The sizes.")
      .def_prop_ro(
          "strides", [](const Tensor& t) { return integers(t.strides()); }, "In elements.")
      .def_prop_ro(
          "storage_offset", [](const Tensor& t) { return t.storage_offset().guard_int(); }, "In elements.")
      .def_prop_ro(
          "ndim", [](const Tensor& t) { return t.dim(); }, "The rank.")
      .def_prop_ro(
          "numel", [](const Tensor& t) { return t.numel().guard_int(); }, "How many elements.")
      .def_prop_ro(
          "is_fake", [](const Tensor& t) { return t.is_fake(); }, "Without data?")
      .def_prop_ro("requires_grad", [](const Tensor& t) { return t.meta().requires_grad; })
      .def(
          "is_contiguous", [](const Tensor& t) { return t.is_contiguous(); }, "Row-major?")
      .def(
          "shares_storage", [](const Tensor& t, const Tensor& o) { return t.shares_storage(o); }, nb::arg("other"),
          "Are the two views of one storage?")
      .def(
          "item",
          [](const Tensor& t) -> nb::object {
            if (is_float(t.dtype())) return nb::float_(t.item_double());
            if (t.dtype() == DType::Bool) return nb::bool_(t.item_int() != 0);
            return nb::int_(t.item_int());
          },
          "The value of a tensor of one element. A fake has none: RuntimeError.")
      .def("__repr__", &canonical)
      .def("__str__", [](const Tensor& t) { return to_string(t); })
      .def("__dlpack__", [](nb::handle self, nb::kwargs how) { return array_of(self).attr("__dlpack__")(**how); })
      .def("__dlpack_device__", [](nb::handle self) {
        const ErsatzDevice d = to_c(nb::cast<const Tensor&>(self).device());
        return nb::make_tuple(d.type, d.index);
      });
  m.def("fake", &fake, nb::arg("meta"),
        "A fake tensor of that metadata: fake('f32[2,3]{1,2}@cuda:0'). Strides, offset and device may be left out.");
  m.def(
      "from_dlpack", [](nb::handle array) { return tensor_of_array(array); }, nb::arg("array"),
      "A tensor on the memory of an array of another library, which is not copied.");
}

}  // namespace ersatz::python
