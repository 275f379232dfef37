// Gradient functions of products and running reductions that derivatives.def calls by name.
#include <limits>

#include "kernels/gradient_math.h"

namespace ersatz::derivatives {

namespace scan_gradients {

using namespace gradient_math;

/// Returns whether some element of `mask` is true. A fake or meta tensor has no elements; for these it returns false,
/// the usual case.
bool any(const Tensor& mask) {
  if (mask.is_fake() || mask.device().type == DeviceType::Meta) return false;
  const Tensor found = call_op<"aten.any.default">(mask);
  return call_op_all<"aten._local_scalar_dense.default">(found)[0].as_bool();
}

/// Returns for each element the product of all other elements along dim, computed without a division.
Tensor product_of_others(const Tensor& t, int64_t dim) {
  if (size_le(size(t, dim), 1))
    return call_op<"aten.ones_like.default">(t, Value(), Value(), Value(), Value(), Value());
  const SymInt more = size(t, dim) - 1;
  const Tensor one = gradient_ops().ones_like(narrow(t, dim, 0, 1));
  const auto running = [&](const Tensor& x) { return call_op<"aten.cumprod.default">(cat(one, x, dim), dim, Value()); };
  const Tensor before = running(narrow(t, dim, 0, more));
  const Tensor after = flip(running(flip(narrow(t, dim, 1, more), dim)), dim);
  return mul(before, after);
}

/// Gradient of prod: grad * result / self. If self has zeros, it is grad times the product of all other elements.
Value prod(Arguments a) {
  if (a[0].is_none()) return {};
  Tensor grad = a[0].tensor(), self = a[1].tensor(), result = a[2].tensor();
  if (self.dtype() != grad.dtype()) self = gradient_ops().cast(self, grad.dtype());
  if (self.dim() == 0) return grad;
  const bool zeros_in_it = any(is_zero(self));
  if (a[3].is_none()) {
    if (!zeros_in_it) return mul(grad, conj(div(result, self)));
    const Tensor line = call_op<"aten.reshape.default">(self, DimVec{-1});
    return mul(grad, call_op<"aten.view.default">(conj(product_of_others(line, 0)), self.sizes()));
  }
  const int64_t dim = wrap(a[3].as_int64(), self.dim());
  if (!a[4].as_bool()) grad = unsqueeze(grad, dim), result = unsqueeze(result, dim);
  if (!zeros_in_it) return mul(grad, conj(div(result, self)));
  if (size_eq(size(self, dim), 1)) return grad;
  return mul(grad, conj(product_of_others(self, dim)));
}

/// Gradient of cumprod: the running sums of grad * result, from the end of the dim, divided by self. From the first
/// zero of self on, products that leave out this zero are used.
Value cumprod(Arguments a) {
  if (a[0].is_none()) return {};
  Tensor grad = a[0].tensor(), self = a[1].tensor();
  const Tensor result = a[2].tensor();
  if (self.dtype() != grad.dtype()) self = gradient_ops().cast(self, grad.dtype());
  if (self.dim() == 0 || size_le(self.numel(), 1)) return grad;
  const int64_t dim = wrap(a[3].as_int64(), self.dim());
  const Tensor conjugate = conj(self), weighted = mul(grad, conj(result)), zero = is_zero(self);
  if (!any(zero)) return div(cumsum_from_end(weighted, dim), conjugate);
  const Tensor zeros_so_far = cumsum(zero, dim);
  const Tensor first = both(zero, call_op<"aten.eq.Scalar">(zeros_so_far, 1));
  const Tensor later = call_op<"aten.ne.Scalar">(zeros_so_far, 0);
  const Tensor before =
      fill_where(div(cumsum_from_end(fill_where(weighted, later, 0), dim), fill_where(conjugate, zero, 1)), later, 0);
  const Tensor without = call_op<"aten.cumprod.default">(fill_where(conjugate, first, 1), dim, Value());
  const Tensor between = fill_where(mul(grad, without), call_op<"aten.ne.Scalar">(zeros_so_far, 1), 0);
  return choose(first, cumsum_from_end(between, dim), before);
}

/// Gradient of logcumsumexp: exp(self) times the running sum of grad / exp(result) from the end of the dim. It is
/// computed by logarithms.
Value logcumsumexp(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), self = a[1].tensor(), result = a[2].tensor();
  if (self.dim() == 0 || size_eq(self.numel(), 0)) return grad;
  const int64_t dim = wrap(a[3].as_int64(), self.dim());
  const auto part = [&](const Tensor& logarithm) {
    const Tensor turned = flip(sub(logarithm, conj(result)), dim);
    return exp(add(flip(call_op<"aten.logcumsumexp.default">(turned, dim), dim), conj(self)));
  };
  if (is_complex_tensor(grad)) return part(log(grad));
  // If grad is 0, the lowest finite number of the dtype replaces log(0) = -inf, because -inf - (-inf) is NaN.
  const double lowest = grad.dtype() == DType::F64    ? std::numeric_limits<double>::lowest()
                        : grad.dtype() == DType::F16  ? -65504.0
                        : grad.dtype() == DType::BF16 ? -0x1.fep127
                                                      : std::numeric_limits<float>::lowest();
  const Tensor size_of_it = log(abs(grad));
  const auto of_sign = [&](const Tensor& has_it) {
    return part(call_op<"aten.where.ScalarOther">(has_it, size_of_it, lowest));
  };
  return sub(of_sign(call_op<"aten.gt.Scalar">(grad, 0)), of_sign(call_op<"aten.lt.Scalar">(grad, 0)));
}

/// Gradient of cummax and cummin: each gradient is added to the element whose value was the running extreme.
Value running_extreme(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor();
  return call_op<"aten.scatter_add.default">(zeros(grad, a[1].as_ints()), a[2].as_int(), a[3].tensor(), grad);
}

}  // namespace scan_gradients

void add_scan_functions() {
  add_gradient_function("cumprod_gradient", scan_gradients::cumprod);
  add_gradient_function("logcumsumexp_gradient", scan_gradients::logcumsumexp);
  add_gradient_function("prod_gradient", scan_gradients::prod);
  add_gradient_function("running_extreme_gradient", scan_gradients::running_extreme);
}

}  // namespace ersatz::derivatives
