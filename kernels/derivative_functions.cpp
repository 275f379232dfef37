// Functions that formulas in derivatives.def call in addition to operators. The parameter `a` has the arguments that
// the formula passes. A function returns None if the incoming gradient is None.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/derivatives.h"
#include "kernels/gradient_math.h"
#include "runtime/autograd/formula.h"
#include "runtime/autograd/gradient_ops.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/tensor/layout.h"

namespace ersatz::derivatives {

namespace {

using namespace gradient_math;

bool is_one(const Value& v) {
  if (!v.is_number() || v.is_symbolic()) return false;
  return v.kind() == Value::Kind::Complex ? v.as_complex() == 1.0 : v.as_double() == 1;
}
bool is_zero(const Value& v) {
  if (!v.is_number() || v.is_symbolic()) return false;
  return v.kind() == Value::Kind::Complex ? v.as_complex() == 0.0 : v.as_double() == 0;
}

// ---- Numbers and elements ------------------------------------------------------------------------------------------

/// Returns the conjugate of a tensor or a number. A real tensor or number is returned unchanged.
Value conj(Arguments a) {
  if (a[0].is_none()) return {};
  if (!a[0].is_tensor()) return a[0].kind() == Value::Kind::Complex ? Value(std::conj(a[0].as_complex())) : a[0];
  const Tensor t = a[0].tensor();
  return is_complex(t.dtype()) ? Value(call_op<"aten._conj.default">(t)) : a[0];
}

/// scaled(t, factor): returns t * factor, and t itself if factor is 1.
Value scaled(Arguments a) {
  if (a[0].is_none() || is_one(a[1])) return a[0];
  return gradient_ops().arithmetic('*', a[0], a[1]);
}

/// cast_like(gradient, dtype, device): returns the gradient converted to the dtype and device of the tensor that it
/// belongs to.
Value cast_like(Arguments a) {
  if (a[0].is_none()) return {};
  Tensor t = a[0].tensor();
  const DType dtype = a[1].as_dtype();
  if (is_complex(t.dtype()) && !is_complex(dtype)) t = gradient_ops().real_part(t);
  if (t.dtype() == dtype && t.device() == a[2].as_device()) return t;
  return call_op<"aten._to_copy.default">(t, dtype, Value(), a[2].as_device(), Value(), false, Value());
}

Value zeros_like(Arguments a) {
  if (a[0].is_none()) return {};
  return call_op<"aten.zeros_like.default">(a[0].tensor(), Value(), Value(), Value(), Value(), Value());
}

Tensor imaginary(const Tensor& t) {
  return call_op<"aten.select.int">(call_op<"aten.view_as_real.default">(call_op<"aten.resolve_conj.default">(t)), -1,
                                    1);
}
Value real_part(Arguments a) { return a[0].is_none() ? Value() : Value(gradient_ops().real_part(a[0].tensor())); }
Value imaginary_part(Arguments a) { return a[0].is_none() ? Value() : Value(imaginary(a[0].tensor())); }

/// The gradient of angle(self): 0 for a real self, `grad * i * self / |self|^2` for a complex one.
Value angle_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), self = a[1].tensor();
  if (!is_complex(self.dtype())) return zeros_like(std::array{a[1]});
  const Tensor size = call_op<"aten.pow.Tensor_Scalar">(call_op<"aten.abs.default">(self), 2);
  const Tensor turned = call_op<"aten.mul.Scalar">(call_op<"aten.div.Tensor">(self, size), std::complex<double>(0, 1));
  return masked(call_op<"aten.ne.Scalar">(self, 0), mul(grad, turned));
}

/// The gradients of atan2(self, other): grad * other / (self^2 + other^2) and grad * -self / (self^2 + other^2).
Value atan2_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), self = a[1].tensor(), other = a[2].tensor();
  const Tensor size =
      call_op<"aten.reciprocal.default">(call_op<"aten.add.Tensor">(mul(self, self), mul(other, other), 1));
  const auto needed = a[3].as_list();
  Values both;
  both.push_back(needed[0].as_bool() ? Value(mul(grad, mul(other, size))) : Value());
  both.push_back(needed[1].as_bool() ? Value(mul(grad, mul(call_op<"aten.neg.default">(self), size))) : Value());
  return Value::list(both);
}

Tensor any_of(const std::optional<Tensor>& a, const std::optional<Tensor>& b) {
  return a && b ? call_op<"aten.logical_or.default">(*a, *b) : a ? *a : *b;
}

/// The gradient of clamp(self, min, max). For numbers as bounds, it is grad where `self` is between the bounds, else 0.
/// For tensors, it is grad / 2 where self equals a bound and min < max, and grad where the bounds are equal.
Value clamp_gradient(Arguments a) {
  if (a[0].is_none() || (a[2].is_none() && a[3].is_none())) return a[0];
  const Tensor grad = a[0].tensor(), self = a[1].tensor();
  if (!a[2].is_tensor() && !a[3].is_tensor()) {
    std::optional<Tensor> above, below;
    if (!a[2].is_none()) above = call_op<"aten.gt.Scalar">(self, a[2]);
    if (!a[3].is_none()) below = call_op<"aten.lt.Scalar">(self, a[3]);
    if (above && below) return masked(call_op<"aten.logical_and_.default">(*above, *below), grad);
    return masked(above ? *above : *below, grad);
  }
  std::optional<Tensor> below, above, on_min, on_max;
  if (a[2].is_tensor()) {
    below = call_op<"aten.lt.Tensor">(self, a[2].tensor());
    on_min = call_op<"aten.eq.Tensor">(self, a[2].tensor());
  }
  if (a[3].is_tensor()) {
    above = call_op<"aten.gt.Tensor">(self, a[3].tensor());
    on_max = call_op<"aten.eq.Tensor">(self, a[3].tensor());
  }
  Tensor tie = any_of(on_min, on_max);
  if (on_min && on_max) {
    tie = call_op<"aten.logical_and.default">(tie, call_op<"aten.lt.Tensor">(a[2].tensor(), a[3].tensor()));
  }
  const Tensor shared = call_op<"aten.where.self">(tie, call_op<"aten.div.Scalar">(grad, 2), grad);
  return call_op<"aten.masked_fill_.Scalar">(shared, any_of(below, above), 0);
}
/// The gradients of clamp for the bounds. An element's gradient goes to `min` if self < min and min <= max. It goes to
/// `max` if self > max or max < min. If self equals a bound and min < max, that bound gets half of the gradient. If the
/// call has only one bound, the conditions on the other one do not apply.
Value clamp_bound_gradients(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), self = a[1].tensor();
  const auto needed = a[4].as_list();
  const bool two = a[2].is_tensor() && a[3].is_tensor();
  const auto gradient = [&](const Tensor& bound, Tensor beyond) {
    Tensor tie = call_op<"aten.eq.Tensor">(self, bound);
    if (two) tie = both(tie, call_op<"aten.lt.Tensor">(a[2].tensor(), a[3].tensor()));
    return Value(call_op<"aten.where.self">(tie, call_op<"aten.div.Scalar">(grad, 2), masked(beyond, grad)));
  };
  Value of_min, of_max;
  if (needed[0].as_bool() && a[2].is_tensor()) {
    Tensor below = call_op<"aten.lt.Tensor">(self, a[2].tensor());
    if (two) below = both(below, call_op<"aten.le.Tensor">(a[2].tensor(), a[3].tensor()));
    of_min = gradient(a[2].tensor(), below);
  }
  if (needed[1].as_bool() && a[3].is_tensor()) {
    Tensor above = call_op<"aten.gt.Tensor">(self, a[3].tensor());
    if (two) {
      above = call_op<"aten.logical_or.default">(above, call_op<"aten.lt.Tensor">(a[3].tensor(), a[2].tensor()));
    }
    of_max = gradient(a[3].tensor(), above);
  }
  return Value::list(std::array{of_min, of_max});
}

/// The gradient of acosh(self): grad / sqrt(self^2 - 1). For a complex self, it is grad / conj(sqrt(self - 1) *
/// sqrt(self + 1)), which has the right branch in the left half of the plane too.
Value acosh_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor self = a[1].tensor();
  const auto inverse_root = [](const Tensor& t) { return call_op<"aten.rsqrt.default">(t); };
  if (!is_complex(self.dtype())) {
    const Tensor square = call_op<"aten.pow.Tensor_Scalar">(self, 2);
    return gradient_ops().arithmetic('*', a[0], Value(inverse_root(call_op<"aten.sub.Scalar">(square, 1, 1))));
  }
  const Tensor slope =
      mul(inverse_root(call_op<"aten.sub.Scalar">(self, 1, 1)), inverse_root(call_op<"aten.add.Scalar">(self, 1, 1)));
  return gradient_ops().arithmetic('*', a[0], conj(std::array{Value(slope)}));
}

Value copysign_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor ratio = call_op<"aten.div.Tensor">(a[2].tensor(), a[1].tensor());
  return mul(call_op<"aten.masked_fill_.Scalar">(ratio, call_op<"aten.eq.Scalar">(a[1].tensor(), 0), 0), a[0].tensor());
}

/// The gradients of polar(abs, angle): real(conj(grad) * result / abs) and real(conj(grad) * i * result).
Value polar_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), result = a[1].tensor();
  const Tensor unit = call_op<"aten.sgn.default">(result);
  const Tensor turned = call_op<"aten.mul.Scalar">(result, std::complex<double>(0, 1));
  const auto against = [&](const Tensor& t) {
    const Tensor back = call_op<"aten.resolve_conj.default">(call_op<"aten._conj.default">(grad));
    return gradient_ops().real_part(mul(back, t));
  };
  return Value::list(std::array{Value(against(unit)), Value(against(turned))});
}

/// The gradient of pow(self, exponent) for self: grad * conj(exponent * self^(exponent - 1)), and 0 where exponent is
/// 0.
Value pow_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), self = a[1].tensor();
  if (!a[2].is_tensor()) {
    if (is_zero(a[2])) {
      return call_op<"aten.zeros_like.default">(self, Value(), Value(), Value(), Value(), MemoryFormat::Preserve);
    }
    const Value lower = a[2].kind() == Value::Kind::Complex ? Value(a[2].as_complex() - 1.0)
                        : a[2].kind() == Value::Kind::Float ? Value(a[2].as_double() - 1)
                                                            : Value(a[2].as_int() - 1);
    const Tensor slope = call_op<"aten.mul.Scalar">(call_op<"aten.pow.Tensor_Scalar">(self, lower), a[2]);
    return gradient_ops().arithmetic('*', a[0], conj(std::array{Value(slope)}));
  }
  const Tensor exponent = a[2].tensor();
  const Tensor slope =
      mul(exponent, call_op<"aten.pow.Tensor_Tensor">(self, call_op<"aten.sub.Scalar">(exponent, 1, 1)));
  const Value product = gradient_ops().arithmetic('*', a[0], conj(std::array{Value(slope)}));
  return call_op<"aten.where.ScalarSelf">(call_op<"aten.eq.Scalar">(exponent, 0), 0, product.tensor());
}
/// The gradient of pow(self, exponent) for the exponent: grad * conj(result * log(self)). It is 0 for an element whose
/// self is 0 and whose exponent is not negative.
Value pow_exponent_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor exponent = a[2].tensor(), result = a[3].tensor();
  const Tensor raised = is_complex(exponent.dtype()) ? call_op<"aten.ge.Scalar">(gradient_ops().real_part(exponent), 0)
                                                     : call_op<"aten.ge.Scalar">(exponent, 0);
  if (!a[1].is_tensor()) {
    const Value base = a[1];
    if (is_zero(base)) {
      const Tensor slope = call_op<"aten.mul.Scalar">(result, -std::numeric_limits<double>::infinity());
      return gradient_ops().arithmetic(
          '*', a[0],
          Value(call_op<"aten.where.ScalarSelf">(
              raised, 0, call_op<"aten.where.ScalarOther">(call_op<"aten.ne.Scalar">(result, 0), slope, 0))));
    }
    const Value log = base.kind() == Value::Kind::Complex ? Value(std::log(base.as_complex()))
                      : base.as_double() < 0              ? Value(std::nan(""))
                                                          : Value(std::log(base.as_double()));
    const Tensor slope = call_op<"aten.mul.Scalar">(result, log);
    return gradient_ops().arithmetic('*', a[0], conj(std::array{Value(slope)}));
  }
  const Tensor self = a[1].tensor();
  const Tensor nothing = call_op<"aten.logical_and.default">(call_op<"aten.eq.Scalar">(self, 0), raised);
  const Tensor slope = mul(result, call_op<"aten.log.default">(self));
  const Value product = gradient_ops().arithmetic('*', a[0], conj(std::array{Value(slope)}));
  return call_op<"aten.where.ScalarSelf">(nothing, 0, product.tensor());
}

/// The gradient of sgn(self): 0 for a real self. For a complex self, it is the part of grad that is perpendicular to
/// self, divided by |self|.
Value sgn_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor self = a[1].tensor(), sgn = a[2].tensor();
  if (!is_complex(self.dtype())) return zeros_like(std::array{a[0]});
  const Tensor size = call_op<"aten.abs.default">(self), grad = a[0].tensor();
  const Tensor along = gradient_ops().real_part(mul(call_op<"aten._conj.default">(sgn), grad));
  const Tensor turned = call_op<"aten.sub.Tensor">(grad, mul(sgn, along), 1);
  return call_op<"aten.masked_fill_.Scalar">(call_op<"aten.div.Tensor">(turned, size),
                                             call_op<"aten.eq.Scalar">(size, 0), 0);
}

/// The gradient of sinc(self): grad * (cos(pi x) pi x - sin(pi x)) / (pi x^2) with x = self, and 0 where x is 0.
Value sinc_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor self = a[1].tensor();
  const Tensor by_pi = call_op<"aten.mul.Scalar">(self, M_PI);
  const Tensor squared = call_op<"aten.mul.Scalar">(mul(self, self), M_PI);
  const Tensor slope = call_op<"aten.div.Tensor">(
      call_op<"aten.sub.Tensor">(mul(call_op<"aten.cos.default">(by_pi), by_pi), call_op<"aten.sin.default">(by_pi), 1),
      squared);
  const Value product = gradient_ops().arithmetic('*', a[0], conj(std::array{Value(slope)}));
  return call_op<"aten.masked_fill.Scalar">(product.tensor(), call_op<"aten.eq.Scalar">(squared, 0), 0);
}

/// The gradient of mvlgamma(self, p): grad times the sum of digamma(self - i / 2) over i < p.
Value mvlgamma_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), self = a[1].tensor();
  const double last = 0.5 - static_cast<double>(a[2].as_int64()) / 2;
  const Tensor steps = call_op<"aten.arange.start_step">(last, 0.5, 0.5, self.dtype(), Value(), self.device(), Value());
  const Tensor places = call_op<"aten.add.Tensor">(steps, call_op<"aten.unsqueeze.default">(self, -1), 1);
  return mul(grad,
             call_op<"aten.sum.dim_IntList">(call_op<"aten.digamma.default">(places), DimVec{-1}, false, Value()));
}

/// Raises NotSupported. PyTorch has no formula for this gradient either, and raises an error in backward.
Value not_implemented(Arguments a) {
  if (a[0].is_none()) return {};
  fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "{} is not implemented, in PyTorch neither",
       a[1].as_string());
}

}  // namespace

void add_functions() {
  add_gradient_function("acosh_gradient", acosh_gradient);
  add_gradient_function("angle_gradient", angle_gradient);
  add_gradient_function("atan2_gradient", atan2_gradient);
  add_gradient_function("cast_like", cast_like);
  add_gradient_function("clamp_bound_gradients", clamp_bound_gradients);
  add_gradient_function("clamp_gradient", clamp_gradient);
  add_gradient_function("conj", conj);
  add_gradient_function("copysign_gradient", copysign_gradient);
  add_gradient_function("imaginary_part", imaginary_part);
  add_gradient_function("mvlgamma_gradient", mvlgamma_gradient);
  add_gradient_function("not_implemented", not_implemented);
  add_gradient_function("polar_gradient", polar_gradient);
  add_gradient_function("pow_exponent_gradient", pow_exponent_gradient);
  add_gradient_function("pow_gradient", pow_gradient);
  add_gradient_function("real_part", real_part);
  add_gradient_function("scaled", scaled);
  add_gradient_function("sgn_gradient", sgn_gradient);
  add_gradient_function("sinc_gradient", sinc_gradient);
  add_conv_functions();
  add_fft_functions();
  add_indexing_functions();
  add_linalg_functions();
  add_loss_functions();
  add_norm_functions();
  add_pointwise_functions();
  add_pooling_functions();
  add_reduction_functions();
  add_resize_functions();
  add_scan_functions();
  add_shape_functions();
  add_vector_norm_functions();
}

}  // namespace ersatz::derivatives
