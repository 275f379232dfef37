// Functions that formulas in derivatives.def call: gradients and second gradients of losses that no formula can
// express.
#include "kernels/derivatives.h"
#include "kernels/gradient_math.h"
#include "runtime/autograd/formula.h"
#include "runtime/op/dispatch.h"

namespace ersatz::derivatives {

namespace {

using namespace gradient_math;

constexpr int64_t kMean = 1;
constexpr double kSmall = 1e-12;  // keeps a division by a probability finite

/// Returns `t` times `weight`, if that is a tensor. If the reduction is a mean, also divides by `count`.
Tensor finished(Tensor t, const Value& weight, const Value& reduction, const SymInt& count) {
  if (weight.is_tensor()) t = mul(t, weight.tensor());
  return reduction.as_int64() == kMean ? div(t, Value(count)) : t;
}

/// averaged(t, n, reduction): returns t / n if the loss is a mean, else t.
Value averaged(Arguments a) {
  if (a[0].is_none()) return {};
  return finished(a[0].tensor(), Value(), a[2], a[1].as_int());
}

Tensor one_less(const Tensor& p) { return from(1, p); }

/// cross_entropy_target_gradient(grad, self, target, weight, reduction): returns grad * (log(1 - p) - log(p)), with p =
/// self.
Value cross_entropy_target_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor p = a[1].tensor();
  const Tensor slope = sub(call_op<"aten.log.default">(one_less(p)), call_op<"aten.log.default">(p));
  return finished(mul(slope, a[0].tensor()), a[3], a[4], a[2].tensor().numel());
}

/// cross_entropy_second_gradient(grad_output, grad, self, target, weight, reduction): returns the second gradient of
/// binary_cross_entropy with respect to self.
Value cross_entropy_second_gradient(Arguments a) {
  if (a[1].is_none()) return {};
  const Tensor p = a[2].tensor(), t = a[3].tensor();
  const Tensor up = add(sub(square(p), mul(mul(p, t), Value(2))), t);
  const Tensor down = square(mul(add(p, Value(kSmall)), add(one_less(p), Value(kSmall))));
  return finished(mul(div(up, down), mul(a[1].tensor(), a[0].tensor())), a[4], a[5], p.numel());
}
/// cross_entropy_second_target_gradient: returns the second gradient of binary_cross_entropy with respect to target. It
/// has the arguments of cross_entropy_second_gradient.
Value cross_entropy_second_target_gradient(Arguments a) {
  if (a[1].is_none()) return {};
  const Tensor p = a[2].tensor();
  const Tensor down = call_op<"aten.clamp_min.default">(mul(p, one_less(p)), kSmall);
  return finished(neg(div(mul(a[1].tensor(), a[0].tensor()), down)), a[4], a[5], p.numel());
}
/// cross_entropy_second_output_gradient(grad, self, target, weight, reduction): returns the second gradient of
/// binary_cross_entropy with respect to grad_output.
Value cross_entropy_second_output_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor p = a[1].tensor(), t = a[2].tensor();
  const Tensor down = mul(add(p, Value(kSmall)), add(one_less(p), Value(kSmall)));
  return finished(mul(div(sub(p, t), down), a[0].tensor()), a[3], a[4], p.numel());
}

/// cross_entropy_logits_gradient(grad, self, target, weight, pos_weight, reduction): returns the gradient of
/// binary_cross_entropy_with_logits with respect to self.
Value cross_entropy_logits_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor x = a[1].tensor(), t = a[2].tensor();
  Tensor slope;
  if (a[4].is_tensor()) {
    const Tensor positive = mul(a[4].tensor(), t);
    slope = sub(mul(sub(add(positive, Value(1)), t), sigmoid(x)), positive);
  } else {
    slope = sub(sigmoid(x), t);
  }
  return finished(mul(slope, a[0].tensor()), a[3], a[5], x.numel());
}
Value cross_entropy_logits_target_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor x = a[1].tensor(), grad = a[0].tensor();
  const auto log_sigmoid = [](const Tensor& t) { return call_op<"aten.log_sigmoid.default">(t); };
  const Tensor slope = a[4].is_tensor() ? sub(log_sigmoid(neg(x)), mul(log_sigmoid(x), a[4].tensor())) : neg(x);
  return finished(mul(slope, grad), a[3], a[5], a[2].tensor().numel());
}

/// near(grad, self, target, distance): returns grad if |self - target| < distance, else 0.
Value near(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor apart = call_op<"aten.abs.default">(sub(a[1].tensor(), a[2].tensor()));
  return mul(a[0].tensor(), call_op<"aten.lt.Scalar">(apart, a[3]));
}

}  // namespace

void add_loss_functions() {
  add_gradient_function("averaged", averaged);
  add_gradient_function("cross_entropy_logits_gradient", cross_entropy_logits_gradient);
  add_gradient_function("cross_entropy_logits_target_gradient", cross_entropy_logits_target_gradient);
  add_gradient_function("cross_entropy_second_gradient", cross_entropy_second_gradient);
  add_gradient_function("cross_entropy_second_output_gradient", cross_entropy_second_output_gradient);
  add_gradient_function("cross_entropy_second_target_gradient", cross_entropy_second_target_gradient);
  add_gradient_function("cross_entropy_target_gradient", cross_entropy_target_gradient);
  add_gradient_function("near", near);
}

}  // namespace ersatz::derivatives
