#include "python/module/arrays.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include "python/module/tensor_object.h"
#include "runtime/autograd/autograd_meta.h"
#include "runtime/plugin/codes.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/loose_bools.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::python {
namespace {

constexpr bool is_of_ml_dtypes(DType t) { return t == DType::BF16 || kFloat8s.has(t); }

/// Returns the array's dtype if ml_dtypes adds it to NumPy. Array protocols do not support these dtypes, so the
/// elements are viewed as integers of equal size.
std::optional<DType> dtype_of_ml_dtypes(nb::handle array) {
  const nb::object name = nb::getattr(nb::getattr(array, "dtype", nb::none()), "name", nb::none());
  if (!PyUnicode_Check(name.ptr()) || !nb::hasattr(array, "view") || !nb::hasattr(array, "__array_interface__")) {
    return std::nullopt;
  }
  const std::optional<DType> known = dtype_named(nb::cast<std::string>(name));
  return known && is_of_ml_dtypes(*known) ? known : std::nullopt;
}

std::vector<size_t> sizes_of(const Tensor& t) {
  std::vector<size_t> sizes;
  for (const SymInt s : t.sizes()) sizes.push_back(static_cast<size_t>(s.guard_int()));
  return sizes;
}

std::vector<int64_t> strides_of(const Tensor& t) {
  std::vector<int64_t> strides;
  for (const SymInt s : t.strides()) strides.push_back(s.guard_int());
  return strides;
}

const Tensor& with_memory(nb::handle self) {
  const Tensor& t = *tensor_in(self.ptr());
  if (requires_grad(t))
    fail_argument("{}: a tensor that requires a gradient cannot cross; call detach() first", t.meta());
  if (t.meta().conj || t.meta().neg) {
    fail_argument("{}: lazy bits cannot cross; call aten.resolve_conj, aten.resolve_neg first", t.meta());
  }
  return t;
}

}  // namespace

bool is_array(nb::handle object) {
  return nb::hasattr(object, "__dlpack__") ||
         (PyObject_CheckBuffer(object.ptr()) && !PyBytes_Check(object.ptr()) && !number_of_array_scalar(object));
}

nb::object number_of_array_scalar(nb::handle object) {
  // A NumPy scalar has the array interface too, but it has no memory that could be shared.
  if (nb::hasattr(object, "__dlpack__") || !nb::hasattr(object, "__array_interface__") ||
      !nb::hasattr(object, "item")) {
    return {};
  }
  return object.attr("item")();
}

Tensor tensor_of_array(nb::handle array) {
  using Array = nb::ndarray<>;
  if (const std::optional<DType> named = dtype_of_ml_dtypes(array)) {
    Tensor bits = tensor_of_array(array.attr("view")(item_size(*named) == 1 ? "uint8" : "int16"));
    TensorMeta meta = bits.meta();
    meta.dtype = *named;
    return Tensor(std::move(meta), bits.storage());
  }
  auto held = std::make_unique<Array>();
  if (!nb::try_cast(array, *held)) {
    PyErr_Clear();
    nb::ndarray<nb::ro> only_read;
    if (nb::try_cast(array, only_read)) fail_argument("an array that must not be written: copy it first");
    PyErr_Clear();
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
  // A GPU reads an element at multiples of its size only.
  if (!device->is_cpu() && reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(item_size(*dtype)) != 0) {
    fail_argument("an array of {} on {} at an address that is no multiple of {} bytes: copy it first", name(*dtype),
                  to_string(*device), item_size(*dtype));
  }
  const Ref<Storage> storage = Storage::wrap(
      data, bytes, *device,
      [](void* a) {
        const nb::gil_scoped_acquire gil;
        delete static_cast<Array*>(a);
      },
      held.release());
  Tensor shared(TensorMeta(*dtype, sizes, strides, *device), storage);
  mark_if_loose(shared);
  return shared;
}

nb::object numpy_of(nb::handle self) {
  const Tensor& t = with_memory(self);
  if (!t.device().is_cpu() && !t.is_fake()) {
    fail_argument("{}: NumPy has arrays of the cpu only; call aten.cpu first", t.meta());
  }
  const std::vector<size_t> sizes = sizes_of(t);
  const std::vector<int64_t> strides = strides_of(t);
  ErsatzDType code = to_c(t.dtype());
  const bool added = is_of_ml_dtypes(t.dtype());
  nb::object named;
  if (added) {
    try {
      named = nb::module_::import_("ml_dtypes").attr(std::string(long_name(t.dtype())).c_str());
    } catch (const nb::python_error&) {
      fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
           "{}: NumPy has no {}: `pip install ml_dtypes` gives it one", t.meta(), name(t.dtype()));
    }
    code = to_c(item_size(t.dtype()) == 1 ? DType::U8 : DType::I16);
  } else if (t.dtype() == DType::C32 || is_packed(t.dtype())) {
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "{}: NumPy has no {}, with ml_dtypes neither", t.meta(),
         name(t.dtype()));
  }
  const nb::ndarray<nb::numpy> array(t.raw_data(), sizes.size(), sizes.data(), self, strides.data(),
                                     nb::dlpack::dtype{code.code, code.bits, code.lanes});
  const nb::object numpy = nb::cast(array, nb::rv_policy::reference);
  return added ? numpy.attr("view")(named) : numpy;
}

nb::object dlpack_of(nb::handle self, nb::kwargs how) {
  const Tensor& t = with_memory(self);
  const std::vector<size_t> sizes = sizes_of(t);
  const std::vector<int64_t> strides = strides_of(t);
  const ErsatzDType code = to_c(t.dtype());
  const ErsatzDevice device = to_c(t.device());
  const nb::ndarray<nb::array_api> array(t.raw_data(), sizes.size(), sizes.data(), self, strides.data(),
                                         nb::dlpack::dtype{code.code, code.bits, code.lanes}, device.type,
                                         device.index);
  return nb::cast(array, nb::rv_policy::reference).attr("__dlpack__")(**how);
}

}  // namespace ersatz::python
