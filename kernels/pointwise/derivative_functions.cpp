// Second derivatives of activations: functions that formulas in derivatives.def call by name.
#include <cmath>

#include "kernels/derivatives.h"
#include "kernels/gradient_math.h"
#include "runtime/autograd/formula.h"
#include "runtime/op/dispatch.h"

namespace ersatz::derivatives {

namespace {

using namespace gradient_math;

/// Arguments: (grad, grad_output, self, approximate). Returns grad * grad_output * gelu''(self).
Value gelu_second_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor x = a[2].tensor(), both = mul(a[0].tensor(), a[1].tensor());
  if (a[3].as_string() != "tanh") {  // gelu''(x) = density(x) * (2 - x^2)
    const Tensor squared = square(x);
    const Tensor density = mul(call_op<"aten.exp.default">(mul(squared, Value(-0.5))), Value(1 / std::sqrt(2 * M_PI)));
    return mul(both, mul(density, from(2, squared)));
  }
  // gelu(x) = x (1 + t) / 2 with t = tanh(u), u = b (x + k x^3). So gelu'' = (1 - t^2) (u' + x u'' / 2 - x t u'^2).
  const double b = std::sqrt(2 / M_PI), k = 0.044715;
  const Tensor squared = square(x);
  const Tensor u = mul(mul(add(mul(squared, Value(k)), Value(1)), x), Value(b));
  const Tensor first = mul(add(mul(squared, Value(3 * k)), Value(1)), Value(b));
  const Tensor t = call_op<"aten.tanh.default">(u);
  // The factor 1 - t^2 is used twice. In the term that grows with x it is computed as 1 / cosh(u)^2, which stays exact
  // for t near 1.
  const Tensor slope = square(call_op<"aten.reciprocal.default">(call_op<"aten.cosh.default">(u)));
  const Tensor slow = mul(from(1, square(t)), add(first, mul(squared, Value(3 * b * k))));
  return mul(both, sub(slow, mul(slope, mul(mul(x, t), square(first)))));
}

/// Arguments: (grad, grad_output, alpha, scale, input_scale, is_result, self_or_result). Returns the gradient of
/// elu_backward with respect to self_or_result.
Value elu_second_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor x = a[6].tensor(), both = mul(mul(a[0].tensor(), a[1].tensor()), a[4]);
  const Tensor below = call_op<"aten.lt.Scalar">(x, 0);
  if (a[5].as_bool()) return mul(both, below);
  return mul(call_op<"aten.elu_backward.default">(both, a[2], a[3], a[4], false, x), below);
}

/// The two halves of a tensor along dim `dim`; `glu` returns the first half times the sigmoid of the second.
struct Halves {
  Halves(const Tensor& t, const Value& dim) {
    const int64_t d = dim.as_int64(), rank = t.dim();
    const SymInt length = t.sizes()[static_cast<size_t>(d < 0 ? d + rank : d)], half = floor_div(length, SymInt(2));
    a = call_op<"aten.slice.Tensor">(t, d, 0, half, 1);
    b = call_op<"aten.slice.Tensor">(t, d, half, length, 1);
  }
  Tensor a, b;
};
Tensor sigmoid_slope(const Tensor& s) { return mul(from(1, s), s); }

/// Arguments: (grad, self, dim). Returns the gradient of glu_backward with respect to its grad_output.
Value glu_backward_output_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Halves grad(a[0].tensor(), a[2]), x(a[1].tensor(), a[2]);
  const Tensor s = sigmoid(x.b);
  return add(mul(grad.a, s), mul(mul(grad.b, x.a), sigmoid_slope(s)));
}
/// Arguments: (grad, grad_output, self, dim). Returns the gradient of glu_backward with respect to self.
Value glu_second_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Halves grad(a[0].tensor(), a[3]), x(a[2].tensor(), a[3]);
  const Tensor s = sigmoid(x.b), common = mul(a[1].tensor(), sigmoid_slope(s));
  const Tensor of_a = mul(grad.b, common);
  const Tensor of_b = mul(common, add(grad.a, mul(mul(grad.b, x.a), add(mul(s, Value(-2)), Value(1)))));
  return call_op<"aten.cat.default">(std::span<const Value>(std::array{Value(of_a), Value(of_b)}), a[3].as_int64());
}

/// Arguments: (grad0, grad1, grad_output, self, weight, needed). Returns the gradients of _prelu_kernel_backward with
/// respect to grad_output, self and weight.
Value prelu_second_gradients(Arguments a) {
  const Tensor of_self = tensor(a[0]), of_weight = tensor(a[1]);
  const Tensor grad = a[2].tensor(), x = a[3].tensor(), weight = a[4].tensor();
  if (!of_self && !of_weight) return {};
  const Tensor above = call_op<"aten.gt.Scalar">(x, 0);
  Value of_grad, of_x, of_w;
  if (wanted(a[5], 0)) {
    const Tensor below_self = of_self ? mul(weight, of_self) : Tensor(),
                 below_weight = of_weight ? mul(x, of_weight) : Tensor();
    const Tensor below = !of_self ? below_weight : !of_weight ? below_self : add(below_self, below_weight);
    of_grad = of_self ? call_op<"aten.where.self">(above, of_self, below) : unmasked(above, below);
  }
  if (wanted(a[5], 1)) of_x = of_weight ? unmasked(above, mul(of_weight, grad)) : zeros_like(x);
  if (wanted(a[5], 2)) of_w = of_self ? unmasked(above, mul(of_self, grad)) : zeros_like(weight);
  return Value::list(std::array{of_grad, of_x, of_w});
}

}  // namespace

void add_pointwise_functions() {
  add_gradient_function("elu_second_gradient", elu_second_gradient);
  add_gradient_function("gelu_second_gradient", gelu_second_gradient);
  add_gradient_function("glu_backward_output_gradient", glu_backward_output_gradient);
  add_gradient_function("glu_second_gradient", glu_second_gradient);
  add_gradient_function("prelu_second_gradients", prelu_second_gradients);
}

}  // namespace ersatz::derivatives
