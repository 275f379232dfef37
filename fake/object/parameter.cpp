#include "fake/object/parameter.h"

#include "runtime/tensor/meta_text.h"

namespace ersatz {

namespace {

Tensor parameter_on(const Tensor& data, bool requires_grad) {
  if (!data) fail_argument("Parameter: an undefined tensor cannot be a parameter");
  TensorMeta meta = data.meta();
  if (requires_grad && is_integral(meta.dtype)) {
    fail_argument("Parameter: only tensors of floating point and complex dtype can require gradients, not {}", meta);
  }
  meta.requires_grad = requires_grad;
  meta.wrapped_number = false;
  return make_view(data, std::move(meta));
}

}  // namespace

Parameter::Parameter(const Tensor& data, bool requires_grad) : Tensor(parameter_on(data, requires_grad)) {
  mark_parameter(*this);
}

bool is_parameter(const Tensor& t) { return t && t.impl()->extra && t.impl()->extra->is_parameter; }

void mark_parameter(const Tensor& t) {
  if (!t.impl()->extra) t.impl()->extra = make_ref<TensorExtra>();
  t.impl()->extra->is_parameter = true;
}

}  // namespace ersatz
