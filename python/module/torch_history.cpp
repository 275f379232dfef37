#include "python/module/torch_history.h"

#include "python/module/arrays.h"
#include "runtime/autograd/autograd_meta.h"
#include "runtime/autograd/view_nodes.h"

namespace ersatz::python {
namespace {

bool is_torch_tensor(nb::handle o) {
  return nb::hasattr(o, "requires_grad") && nb::hasattr(o, "is_leaf") && nb::hasattr(o, "_base") &&
         nb::hasattr(o, "detach") && nb::hasattr(o, "__dlpack__");
}

bool flag(nb::handle o, const char* name) { return nb::cast<bool>(o.attr(name)); }

bool is_parameter(nb::handle torch) {
  const nb::object module = nb::module_::import_("sys").attr("modules").attr("get")("torch.nn");
  return !module.is_none() && PyObject_IsInstance(torch.ptr(), module.attr("Parameter").ptr()) == 1;
}

Tensor converted(nb::handle torch) {
  Tensor t = tensor_of_array(torch.attr("detach")());
  const nb::object base = torch.attr("_base");
  Tensor of;
  if (!base.is_none() && base.attr("dtype").equal(torch.attr("dtype"))) {
    of = converted(base);
    TensorMeta meta = t.meta();
    meta.offset = nb::cast<int64_t>(torch.attr("storage_offset")()) - nb::cast<int64_t>(base.attr("storage_offset")());
    if (meta.offset.as_int() < 0) {
      of = Tensor();  // the tensor begins before its base, and only the base's memory is known
    } else {
      t = Tensor(std::move(meta), of.storage());
    }
  }
  t.impl()->meta.inference = nb::cast<bool>(torch.attr("is_inference")());
  const bool leaf = flag(torch, "is_leaf"), wanted = flag(torch, "requires_grad");
  t.impl()->meta.requires_grad = wanted;
  if (is_parameter(torch)) {
    if (!t.impl()->extra) t.impl()->extra = make_ref<TensorExtra>();
    t.impl()->extra->is_parameter = true;
  }
  if (of) {
    AutogradMeta& a = need_autograd_meta(t.impl());
    a.base = of;
    a.version = t.version();
  }
  if (!leaf && of && requires_grad(of)) {
    need_autograd_meta(t.impl()).edge = view_edge(t, of);
  } else if (!leaf) {
    set_converted_history(t);
  }
  if (leaf || flag(torch, "retains_grad")) {
    const nb::object gradient = torch.attr("grad");
    if (!gradient.is_none()) need_autograd_meta(t.impl()).grad = converted(gradient);
  }
  return t;
}

}  // namespace

Tensor tensor_with_history(nb::handle array) {
  return is_torch_tensor(array) ? converted(array) : tensor_of_array(array);
}

}  // namespace ersatz::python
