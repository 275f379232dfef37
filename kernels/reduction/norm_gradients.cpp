// Gradient functions of norms, distances and moments that derivatives.def calls by name.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/gradient_math.h"

namespace ersatz::derivatives {

namespace norm_gradients {

using namespace gradient_math;

/// Returns the dims that were reduced, in ascending order. None and an empty list mean all dims.
DimVec dims_of(const Value& dims, int64_t rank) {
  std::vector<int64_t> over;
  if (dims.is_number()) {
    over.push_back(wrap(dims.as_int64(), rank));
  } else if (!dims.is_none() && !dims.as_ints().empty()) {
    for (SymInt d : dims.as_ints()) over.push_back(wrap(d.as_int(), rank));
  } else {
    for (int64_t d = 0; d < rank; ++d) over.push_back(d);
  }
  std::sort(over.begin(), over.end());
  DimVec sorted;
  for (const int64_t d : over) sorted.push_back(d);
  return sorted;
}
/// Returns `t`, a reduction's result or its gradient, with the reduced dims inserted as dims of size 1.
Tensor restored(Tensor t, const Value& dims, bool keepdim, int64_t rank) {
  if (!t || keepdim || rank == 0) return t;
  for (SymInt d : dims_of(dims, rank)) t = unsqueeze(t, d.as_int());
  return t;
}

/// Returns the gradient of the p-norm of self over dims; `norm` is the norm. If the norm is 0, the gradient is 0. For p
/// = inf, all elements with the largest absolute value get equal parts.
Tensor of_norm(Tensor grad, const Tensor& self, Tensor norm, double p, const Value& dims, bool keepdim) {
  if (p == 0) return {};
  if (p == 1) return mul(sgn(self), restored(grad, dims, keepdim, self.dim()));
  grad = restored(grad, dims, keepdim, self.dim());
  norm = restored(norm, dims, keepdim, self.dim());
  if (p == 2) return mul(grad, fill(div(self, norm), is_zero(norm), 0));
  if (std::isinf(p)) {
    const Tensor size = abs(self);
    const Tensor hit = either(equal(size, norm), both(is_nan(size), is_nan(norm)));
    const Tensor count = sum(hit, Value(dims_of(dims, self.dim())), true);
    return mul(mul(sgn(self), div(grad, count)), hit);
  }
  if (p < 1) {
    const Tensor along = fill(mul(sgn(self), pow(abs(self), p - 1)), is_zero(self), 0);
    return mul(mul(along, grad), pow(norm, 1 - p));
  }
  const Tensor along = p < 2 ? mul(sgn(self), pow(abs(self), p - 1)) : mul(self, pow(abs(self), p - 2));
  const Tensor share = fill(div(grad, pow(norm, p - 1)), is_zero(norm), 0);
  return mul(along, share);
}
double order(const Value& p) { return p.is_none() ? 2.0 : p.as_double(); }
Value norm(Arguments a) {
  if (a[0].is_none()) return {};
  return of_norm(a[0].tensor(), a[1].tensor(), a[2].tensor(), order(a[3]), a[4], a[5].as_bool());
}

/// Gradient of renorm(self, p, dim, maxnorm). renorm scales slices whose norm is above maxnorm to this norm.
Value renorm(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), self = a[1].tensor();
  const double p = a[2].as_double();
  const int64_t kept = wrap(a[3].as_int64(), self.dim());
  DimVec dims;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d != kept) dims.push_back(d);
  }
  const Tensor size = call_op<"aten.linalg_vector_norm.default">(self, p, dims, true, Value());
  const Tensor along = sum(real(mul(conj(self), grad)), Value(dims), true);
  const Tensor of_size = of_norm(along, self, size, p, Value(dims), true);
  const Tensor inverse = call_op<"aten.reciprocal.default">(call_op<"aten.add.Scalar">(size, 1e-7, 1));
  const Tensor change = of_size ? sub(grad, mul(inverse, of_size)) : grad;
  const Tensor scaled = mul(mul(inverse, a[4]), change);
  return choose(call_op<"aten.gt.Scalar">(size, a[4]), scaled, grad);
}

/// Gradients of _euclidean_dist(x1, x2) with respect to x1 and x2.
Value euclidean_dist(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor x1 = a[1].tensor(), x2 = a[2].tensor(), result = a[3].tensor();
  const Tensor ratio = fill(div(a[0].tensor(), result), is_zero(result), 0);
  Tensor first, second;
  if (wanted(a[4], 0)) first = sub(mul(x1, sum(ratio, Value(DimVec{-1}), true)), matmul(ratio, x2));
  if (wanted(a[4], 1)) {
    second = sub(mul(x2, unsqueeze(sum(ratio, Value(DimVec{-2}), false), -1)), matmul(mT(ratio), x1));
  }
  return pair(first, second);
}

/// Gradient of aminmax(dim): all elements that equal a result get equal parts of that result's gradient.
Value aminmax(Arguments a) {
  const Tensor self = a[2].tensor();
  const bool keepdim = a[6].as_bool();
  const auto part = [&](const Value& gradient, const Value& result) -> Tensor {
    if (gradient.is_none()) return {};
    const Tensor hit = equal(self, restored(result.tensor(), a[5], keepdim, self.dim()));
    const Tensor grad = restored(gradient.tensor(), a[5], keepdim, self.dim());
    return div(mul(grad, hit), sum(hit, Value(dims_of(a[5], self.dim())), true));
  };
  return sum_of(part(a[0], a[3]), part(a[1], a[4]));
}

// ---- Moments -------------------------------------------------------------------------------------------------------

/// Returns the number of elements over `dims`. An empty list counts as all elements if `empty_holds_all` (mean), else
/// as one element (variance), as in PyTorch's formulas.
SymInt count_over(const Tensor& self, const Value& dims, bool empty_holds_all) {
  SymInt n = 1;
  if (self.dim() == 0 || (!empty_holds_all && !dims.is_none() && dims.as_ints().empty())) return n;
  for (SymInt d : dims_of(dims, self.dim())) n = n * size(self, d.as_int());
  return n;
}
/// Gradient of var(dims, correction): grad * 2 / (n - correction) * (self - mean). If all dims are reduced and n is at
/// most the correction, the gradient is infinite, and NaN for elements that equal the mean.
Tensor of_var(const Tensor& gradient, const Tensor& self, const Value& dims, const Value& correction, bool keepdim) {
  const double by = correction.is_none() ? 1.0 : correction.as_double();
  const double left = static_cast<double>(count_over(self, dims, false).guard_int()) - by;
  const Tensor grad = restored(gradient, dims, keepdim, self.dim());
  const Tensor mean = call_op<"aten.mean.dim">(self, dims, true, Value());
  if (left <= 0 && (dims.is_none() || self.dim() == 0)) {
    return mul(grad, call_op<"aten.where.Scalar">(equal(self, mean), std::numeric_limits<double>::quiet_NaN(),
                                                  std::numeric_limits<double>::infinity()));
  }
  return mul(mul(grad, 2.0 / left), sub(self, mean));
}
/// Gradient of std: the gradient of the variance divided by twice the result; 0 if the result is 0.
Tensor of_std(const Tensor& result, const Tensor& gradient, const Tensor& self, const Value& dims,
              const Value& correction, bool keepdim) {
  const Tensor share = fill(div(gradient, mul(result, 2)), is_zero(result), 0);
  return of_var(share, self, dims, correction, keepdim);
}
Tensor of_mean(const Value& gradient, const Tensor& self, const Value& dims, bool keepdim) {
  if (gradient.is_none()) return {};
  const Tensor whole = expand(restored(gradient.tensor(), dims, keepdim, self.dim()), self.sizes());
  return call_op<"aten.div.Scalar">(whole, count_over(self, dims, true));
}
Value var(Arguments a) {
  if (a[0].is_none()) return {};
  return of_var(a[0].tensor(), a[1].tensor(), a[2], a[3], a[4].as_bool());
}
Value standard_deviation(Arguments a) {
  if (a[1].is_none()) return {};
  return of_std(a[0].tensor(), a[1].tensor(), a[2].tensor(), a[3], a[4], a[5].as_bool());
}
Value var_mean(Arguments a) {
  const Tensor self = a[2].tensor();
  Tensor made;
  if (a[0].is_tensor()) made = of_var(a[0].tensor(), self, a[3], a[4], a[5].as_bool());
  return sum_of(made, of_mean(a[1], self, a[3], a[5].as_bool()));
}
Value std_mean(Arguments a) {
  const Tensor self = a[3].tensor();
  Tensor made;
  if (a[0].is_tensor()) made = of_std(a[2].tensor(), a[0].tensor(), self, a[4], a[5], a[6].as_bool());
  return sum_of(made, of_mean(a[1], self, a[4], a[6].as_bool()));
}

}  // namespace norm_gradients

void add_vector_norm_functions() {
  add_gradient_function("aminmax_gradient", norm_gradients::aminmax);
  add_gradient_function("euclidean_dist_gradient", norm_gradients::euclidean_dist);
  add_gradient_function("norm_gradient", norm_gradients::norm);
  add_gradient_function("renorm_gradient", norm_gradients::renorm);
  add_gradient_function("std_gradient", norm_gradients::standard_deviation);
  add_gradient_function("std_mean_gradient", norm_gradients::std_mean);
  add_gradient_function("var_gradient", norm_gradients::var);
  add_gradient_function("var_mean_gradient", norm_gradients::var_mean);
}

}  // namespace ersatz::derivatives
