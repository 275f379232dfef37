// Decompositions of elementwise operators and losses into core ATen operators.
#include <limits>

#include "kernels/core_decompositions.h"
#include "kernels/decomposition.h"

namespace ersatz::decomposition {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <OpName op>
Tensor unary(const Tensor& t) {
  return call_op<op>(t);
}
template <OpName op>
Tensor compare(const Tensor& t, const Value& v) {
  return call_op<op>(t, v);
}
constexpr auto exp = unary<"aten.exp.default">;
constexpr auto log = unary<"aten.log.default">;
constexpr auto log1p = unary<"aten.log1p.default">;
constexpr auto abs = unary<"aten.abs.default">;
constexpr auto neg = unary<"aten.neg.default">;
constexpr auto isnan = unary<"aten.isnan.default">;
constexpr auto sigmoid = unary<"aten.sigmoid.default">;
constexpr auto eq = compare<"aten.eq.Scalar">;
constexpr auto gt = compare<"aten.gt.Scalar">;
constexpr auto ge = compare<"aten.ge.Scalar">;
constexpr auto le = compare<"aten.le.Scalar">;
constexpr auto lt = compare<"aten.lt.Scalar">;
Tensor clamp(const Tensor& t, const Value& low, const Value& high) {
  return call_op<"aten.clamp.default">(t, low, high);
}

void silu(CompositeCall& call) {
  Formula f(call);
  const Tensor x = f[0];
  f.returns(mul(x, sigmoid(x)));
}
Tensor relu6_of_three_more(const Tensor& x) { return clamp(clamp(add(x, 3), 0, Value()), Value(), 6); }
void hardswish(CompositeCall& call) {
  Formula f(call);
  const Tensor x = f[0];
  f.returns(div(mul(x, relu6_of_three_more(x)), 6));
}
void hardsigmoid(CompositeCall& call) {
  Formula f(call);
  f.returns(div(relu6_of_three_more(f[0]), 6));
}
void mish(CompositeCall& call) {
  Formula f(call);
  const Tensor x = f[0], bent = log1p(exp(x));
  f.returns(mul(x, call_op<"aten.tanh.default">(where(gt(x, 20), x, bent))));
}
void softplus(CompositeCall& call) {
  Formula f(call);
  const Tensor x = f[0];
  const Value &beta = given(call, 1), &threshold = given(call, 2);
  // PyTorch omits arguments that equal the schema's defaults; its decomposition then does not scale by beta.
  if (beta == Value(int64_t(1)) && threshold == Value(int64_t(20)))
    return f.returns(where(gt(x, threshold), x, log1p(exp(x))));
  const Tensor scaled = mul(x, beta), bent = div(log1p(exp(scaled)), beta);
  f.returns(where(gt(scaled, threshold), x, bent));
}
void celu(CompositeCall& call) {
  Formula f(call);
  const Tensor x = f[0];
  const double alpha = given(call, 1).as_double();
  const Tensor low = alpha == 1 ? call_op<"aten.expm1.default">(x)
                                : mul(call_op<"aten.expm1.default">(div(x, given(call, 1))), given(call, 1));
  f.returns(where(gt(x, 0), x, low));
}
void hardshrink(CompositeCall& call) {
  Formula f(call, false);
  const Tensor x = f[0], small = le(abs(x), given(call, 1));
  f.returns(where(small, f.constant(0), x));
}
void softshrink(CompositeCall& call) {
  Formula f(call, false);
  const Tensor x = f[0], large = gt(abs(x), given(call, 1));
  const Tensor nearer = sub(x, mul(call_op<"aten.sign.default">(x), given(call, 1)));
  f.returns(where(large, nearer, mul(x, 0)));
}
void threshold(CompositeCall& call) {
  Formula f(call, false);
  const Tensor x = f[0], low = le(x, given(call, 1));
  f.returns(where(low, f.constant(given(call, 2)), x));
}
void prelu_kernel(CompositeCall& call) {
  const Tensor x = tensor(call, 0), positive = gt(x, 0);
  call.returns(where(positive, x, mul(tensor(call, 1), x)));
}
void log_sigmoid_forward(CompositeCall& call) {
  Formula f(call);
  const Tensor x = f[0];
  const Tensor low = call_op<"aten.minimum.default">(filled({}, 0, f.compute(), f.device()), x);
  const Tensor z = exp(neg(abs(x)));
  f.returns(sub(low, log1p(z)));
  if (f.device().type == DeviceType::CUDA) {
    call.returns(filled({SymInt(0)}, 0, tensor(call, 0).dtype(), f.device()));
  } else {
    f.returns(z);
  }
}
void lerp_between(Formula& f, const Tensor& x, const Tensor& end, const Tensor& weight) {
  const Tensor far = ge(abs(weight), 0.5);
  const Tensor from = where(far, sub(weight, 1), weight), base = where(far, end, x);
  f.returns(add(mul(from, sub(end, x)), base));
}
void lerp_scalar(CompositeCall& call) {
  Formula f(call);
  const Tensor x = f[0], end = f[1];
  lerp_between(f, x, end, filled({}, given(call, 2), f.compute(), f.device()));
}
void lerp_tensor(CompositeCall& call) {
  Formula f(call);
  const Tensor x = f[0], end = f[1];
  lerp_between(f, x, end, f[2]);
}
void addcmul(CompositeCall& call) {
  Formula f(call, false);
  const Tensor x = f[0], a = f[1], b = f[2];
  f.returns(add(x, mul(mul(a, given(call, 3)), b)));
}
void addcdiv(CompositeCall& call) {
  Formula f(call);
  const Tensor x = f[0], a = f[1], b = f[2];
  f.returns(add(x, div(mul(a, given(call, 3)), b)));
}
double largest(DType dtype) {
  switch (dtype) {
    case DType::F64:
      return std::numeric_limits<double>::max();
    case DType::F16:
      return 65504;
    case DType::BF16:
      return 0x1.fep127;
    default:
      return std::numeric_limits<float>::max();
  }
}
void nan_to_num(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  if (!is_float(x.dtype())) return call.returns(call_op<"aten.clone.default">(x, Value()));
  const auto constant = [&](size_t i, double otherwise) {
    return number(given(call, i).is_none() ? Value(otherwise) : given(call, i), x.dtype(), x.device());
  };
  const Tensor nans = isnan(x), no_nans = where(nans, constant(1, 0), x);
  const Tensor lowest = eq(x, -kInfinity), bounded = where(lowest, constant(3, -largest(x.dtype())), no_nans);
  const Tensor highest = eq(x, kInfinity);
  call.returns(where(highest, constant(2, largest(x.dtype())), bounded));
}
/// Arguments: masked_fill(self, mask, value). `value` is a number or a 0-d tensor.
void masked_fill(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  Tensor value;
  if (given(call, 2).is_tensor()) {
    value = cast(tensor(call, 2), x.dtype());
  } else {
    const Value& n = given(call, 2);
    value = number(is_float(x.dtype()) ? Value(n.as_double()) : n, x.dtype(), x.device());
  }
  call.returns(where(tensor(call, 1), value, x));
}
void rsub(CompositeCall& call) {
  call.returns(call_op<"aten.sub.Tensor">(given(call, 1), given(call, 0), given(call, 2)));
}
void heaviside(CompositeCall& call) {
  const Tensor x = tensor(call, 0), at_zero = eq(x, 0);
  const Tensor low = call_op<"aten.logical_or.default">(lt(x, 0), isnan(x));
  const Tensor one = number(1, x.dtype(), x.device());
  call.returns(where(at_zero, tensor(call, 1), where(low, number(0, x.dtype(), x.device()), one)));
}
void logit(CompositeCall& call) {
  Formula f(call);
  Tensor x = f[0];
  if (!given(call, 1).is_none()) {
    const double eps = given(call, 1).as_double();
    const Tensor low = lt(x, eps), high = gt(x, 1 - eps);
    x = where(high, f.constant(1 - eps), x);
    x = where(low, f.constant(eps), x);
  }
  f.returns(log(div(x, sub(1, x))));
}
template <OpName logarithm>
void x_times_log(CompositeCall& call) {
  Formula f(call);
  const Tensor x = f[0], y = f[1], zero = eq(x, 0);
  const Tensor product = mul(x, call_op<logarithm>(y)), or_zero = where(zero, f.constant(0), product);
  const Tensor nans = isnan(y);
  f.returns(where(nans, f.constant(kNan), or_zero));
}
void sinc(CompositeCall& call) {
  Formula f(call);
  const Tensor x = mul(f[0], 3.141592653589793), zero = eq(x, 0);
  const Tensor ratio = div(call_op<"aten.sin.default">(x), x);
  f.returns(where(zero, f.constant(1), ratio));
}
void frac(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  call.returns(sub(x, call_op<"aten.trunc.default">(x)));
}
void clamp_min(CompositeCall& call) { call.returns(clamp(tensor(call, 0), given(call, 1), Value())); }
void clamp_max(CompositeCall& call) { call.returns(clamp(tensor(call, 0), Value(), given(call, 1))); }
void clamp_min_tensor(CompositeCall& call) {
  call.returns(call_op<"aten.clamp.Tensor">(tensor(call, 0), given(call, 1), Value()));
}
void clamp_max_tensor(CompositeCall& call) {
  call.returns(call_op<"aten.clamp.Tensor">(tensor(call, 0), Value(), given(call, 1)));
}
void floor_divide(CompositeCall& call) {
  call.returns(call_op<"aten.div.Tensor_mode">(given(call, 0), given(call, 1), std::string_view("floor")));
}
/// Parts of log(e^x + e^y). `larger` is the larger of x and y; complex numbers are compared by their real parts.
/// `difference` is smaller - larger, which is NaN if both are the same infinity.
struct LogOfSum {
  Tensor larger, difference, same_infinity;

  template <class F>
  LogOfSum(const Tensor& x, const Tensor& y, const F& is_infinite) {
    const auto real = [](const Tensor& t) { return is_complex(t.dtype()) ? call_op<"aten.real.default">(t) : t; };
    const Tensor a = real(x), b = real(y), first = call_op<"aten.ge.Tensor">(a, b);
    larger = where(first, x, y);
    const Tensor smaller = where(first, y, x), infinite = is_infinite(a);
    same_infinity = call_op<"aten.logical_and.default">(infinite, call_op<"aten.eq.Tensor">(a, b));
    difference = sub(smaller, larger);
  }
};
void logaddexp(CompositeCall& call) {
  Formula f(call);
  const Tensor x = f[0];
  const LogOfSum sum(x, f[1], [](const Tensor& t) {
    return call_op<"aten.logical_not.default">(call_op<"aten.isfinite.default">(t));
  });
  f.returns(where(sum.same_infinity, x, add(sum.larger, log1p(exp(sum.difference)))));
}
void logaddexp2(CompositeCall& call) {
  Formula f(call);
  const Tensor x = f[0];
  const LogOfSum sum(x, f[1], unary<"aten.isinf.default">);
  const Tensor added = mul(log1p(call_op<"aten.exp2.default">(sum.difference)), 1.4426950408889634);
  f.returns(where(sum.same_infinity, x, add(sum.larger, added)));
}
void entropy(CompositeCall& call) {
  Formula f(call);
  const Tensor x = f[0], nans = isnan(x), positive = gt(x, 0), inside = mul(neg(x), log(x)), zero = eq(x, 0);
  const Tensor low = f.constant(-kInfinity);
  f.returns(where(nans, x, where(positive, inside, where(zero, f.constant(0), low))));
}
void deg2rad(CompositeCall& call) {
  Formula f(call);
  f.returns(mul(f[0], 0.017453292519943295));
}
void rad2deg(CompositeCall& call) {
  Formula f(call);
  f.returns(mul(f[0], 57.295779513082323));
}
void isneginf(CompositeCall& call) { call.returns(eq(tensor(call, 0), -kInfinity)); }
void isposinf(CompositeCall& call) { call.returns(eq(tensor(call, 0), kInfinity)); }

/// Applies the argument `reduction` of a loss: 0 none, 1 mean, 2 sum.
Tensor reduced(const Tensor& loss, int64_t reduction) {
  if (reduction == 1) return call_op<"aten.mean.default">(loss, Value());
  return reduction == 2 ? sum_of(loss, {}) : loss;
}
void mse_loss(CompositeCall& call) {
  Formula f(call);
  const Tensor x = f[0];
  f.returns(reduced(pow(sub(x, f[1]), 2), given(call, 2).as_int64()));
}
void soft_margin_loss(CompositeCall& call) {
  Formula f(call);
  const Tensor x = neg(f[0]);
  f.returns(reduced(log1p(exp(mul(x, f[1]))), given(call, 2).as_int64()));
}
void smooth_l1_loss(CompositeCall& call) {
  Formula f(call);
  const Tensor x = f[0], distance = abs(sub(x, f[1]));
  const double beta = given(call, 3).as_double();
  if (beta == 0) return f.returns(reduced(distance, given(call, 2).as_int64()));
  const Tensor near = lt(distance, beta), bent = div(mul(pow(distance, 2), 0.5), beta);
  f.returns(reduced(where(near, bent, sub(distance, 0.5 * beta)), given(call, 2).as_int64()));
}
void huber_loss(CompositeCall& call) {
  Formula f(call);
  const Tensor x = f[0], distance = abs(sub(x, f[1]));
  const double delta = given(call, 3).as_double();
  const Tensor near = lt(distance, delta), bent = mul(mul(distance, 0.5), distance);
  const Tensor straight = mul(sub(distance, 0.5 * delta), delta);
  f.returns(reduced(where(near, bent, straight), given(call, 2).as_int64()));
}
/// Calls `op` itself, so that the operator is not decomposed.
void stays_whole(CompositeCall& call, std::string_view op) {
  Values results;
  dispatch(op_named(op), call.args, results);
  call.returns(std::move(results[0]));
}
/// Arguments: (self, target, weight, reduction). If the sizes of target and self differ, the operator is not
/// decomposed. It pairs their elements in memory order, but the operators of the decomposition would broadcast.
void binary_cross_entropy(CompositeCall& call) {
  if (!check_eq(tensor(call, 0).sizes(), tensor(call, 1).sizes()))
    return stays_whole(call, "aten.binary_cross_entropy.default");
  Formula f(call);
  const Tensor x = f[0], target = f[1];
  const auto bounded = [&](const Tensor& t) {
    return call_op<"aten.maximum.default">(t, filled({}, -100, f.compute(), f.device()));
  };
  const Tensor absent = sub(target, 1), of_absent = mul(absent, bounded(log1p(neg(x))));
  Tensor loss = sub(of_absent, mul(target, bounded(log(x))));
  if (!given(call, 2).is_none()) loss = mul(loss, f[2]);
  f.returns(reduced(loss, given(call, 3).as_int64()));
}
/// Decomposes sgn to sign, except for complex numbers.
void sgn(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  if (is_complex(x.dtype())) return stays_whole(call, "aten.sgn.default");
  call.returns(call_op<"aten.sign.default">(x));
}
/// Arguments: (self, target, weight, pos_weight, reduction).
void binary_cross_entropy_with_logits(CompositeCall& call) {
  const Tensor x = tensor(call, 0), target = tensor(call, 1);
  Tensor positive;
  if (!given(call, 3).is_none()) positive = add(mul(sub(tensor(call, 3), 1), target), 1);
  const Tensor negative = mul(sub(1, target), x);
  Tensor likelihood = call_op<"aten.log_sigmoid.default">(x);
  if (positive) likelihood = mul(positive, likelihood);
  Tensor loss = sub(negative, likelihood);
  if (!given(call, 2).is_none()) loss = mul(loss, tensor(call, 2));
  call.returns(reduced(loss, given(call, 4).as_int64()));
}

constexpr Row kElementwiseRows[] = {
    {"aten._prelu_kernel.default", prelu_kernel},
    {"aten.addcdiv.default", addcdiv},
    {"aten.addcmul.default", addcmul},
    {"aten.binary_cross_entropy.default", binary_cross_entropy},
    {"aten.binary_cross_entropy_with_logits.default", binary_cross_entropy_with_logits},
    {"aten.celu.default", celu},
    {"aten.clamp_max.Tensor", clamp_max_tensor},
    {"aten.clamp_max.default", clamp_max},
    {"aten.clamp_min.Tensor", clamp_min_tensor},
    {"aten.clamp_min.default", clamp_min},
    {"aten.deg2rad.default", deg2rad},
    {"aten.floor_divide.default", floor_divide},
    {"aten.frac.default", frac},
    {"aten.hardshrink.default", hardshrink},
    {"aten.hardsigmoid.default", hardsigmoid},
    {"aten.hardswish.default", hardswish},
    {"aten.heaviside.default", heaviside},
    {"aten.huber_loss.default", huber_loss},
    {"aten.isneginf.default", isneginf},
    {"aten.isposinf.default", isposinf},
    {"aten.lerp.Scalar", lerp_scalar},
    {"aten.lerp.Tensor", lerp_tensor},
    {"aten.log_sigmoid_forward.default", log_sigmoid_forward},
    {"aten.logaddexp.default", logaddexp},
    {"aten.logaddexp2.default", logaddexp2},
    {"aten.logit.default", logit},
    {"aten.masked_fill.Scalar", masked_fill},
    {"aten.masked_fill.Tensor", masked_fill},
    {"aten.mish.default", mish},
    {"aten.mse_loss.default", mse_loss},
    {"aten.nan_to_num.default", nan_to_num},
    {"aten.rad2deg.default", rad2deg},
    {"aten.rsub.Scalar", rsub},
    {"aten.rsub.Tensor", rsub},
    {"aten.silu.default", silu},
    {"aten.sinc.default", sinc},
    {"aten.smooth_l1_loss.default", smooth_l1_loss},
    {"aten.soft_margin_loss.default", soft_margin_loss},
    {"aten.sgn.default", sgn},
    {"aten.softplus.default", softplus},
    {"aten.softshrink.default", softshrink},
    {"aten.special_entr.default", entropy},
    {"aten.special_xlog1py.default", x_times_log<"aten.log1p.default">},
    {"aten.threshold.default", threshold},
    {"aten.xlogy.Tensor", x_times_log<"aten.log.default">},
};

}  // namespace

std::span<const Row> elementwise_rows() { return kElementwiseRows; }

}  // namespace ersatz::decomposition
