// Gradients of _cdist_backward and _pdist_backward: second derivatives of the distances between rows. A distance is a
// function of D, the difference of two rows.
#include <cmath>

#include "kernels/gradient_math.h"

namespace ersatz::derivatives {

namespace distance_gradients {

using namespace gradient_math;

/// The gradient of D is the gradient of the distance times f(D, dist) = sgn(D) |D|^(p-1) / dist^(p-1). `first` is f.
/// `of_d` and `of_dist` are the derivatives of f with respect to D and dist. A member is undefined if it is 0
/// everywhere.
struct Slopes {
  Tensor first, of_d, of_dist;
};
Slopes slopes(const Tensor& D, const Tensor& dist, double p) {
  if (p == 0) return {};
  if (p == 1) return {sgn(D), {}, {}};
  const Tensor size = abs(D), none = is_zero(dist);
  if (std::isinf(p)) return {mul(sgn(D), equal(size, dist)), {}, {}};
  const Tensor share = fill(pow(dist, 1 - p), none, 0);
  if (p == 2) {
    const Tensor first = mul(D, share);
    return {first, expand(share, D.sizes()), neg(fill(div(first, dist), none, 0))};
  }
  const Tensor same = is_zero(D);
  const Tensor first = mul(fill(mul(sgn(D), pow(size, p - 1)), same, 0), share);
  const Tensor of_d = mul(mul(fill(pow(size, p - 2), same, 0), share), p - 1);
  return {first, of_d, mul(fill(div(first, dist), none, 0), 1 - p)};
}
Tensor sum_over(const Tensor& t, int64_t dim) { return sum(t, Value(DimVec{dim}), false); }
Tensor or_zeros(const Tensor& t, const Tensor& like) { return t ? t : zeros_like(like); }

/// Gradients of grad_output, x1, x2 and cdist of _cdist_backward(grad_output, x1, x2, p, cdist).
Value cdist(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor of_x1 = unsqueeze(a[0].tensor(), -2), of = a[1].tensor(), x1 = a[2].tensor(), x2 = a[3].tensor(),
               dist = a[5].tensor();
  const Slopes s = slopes(sub(unsqueeze(x1, -2), unsqueeze(x2, -3)), unsqueeze(dist, -1), a[4].as_double());
  const Tensor weighted = mul(of_x1, unsqueeze(of, -1));
  Tensor g, first, second, d;
  if (s.first) g = sum_over(mul(of_x1, s.first), -1);
  if (s.of_d) {
    const Tensor by_d = mul(weighted, s.of_d);
    first = sum_over(by_d, -2), second = neg(sum_over(by_d, -3));
  }
  if (s.of_dist) d = sum_over(mul(weighted, s.of_dist), -1);
  return Value::list(std::array{Value(or_zeros(g, of)), Value(or_zeros(first, x1)), Value(or_zeros(second, x2)),
                                Value(or_zeros(d, dist))});
}

/// Gradients of grad_output, self and pdist of _pdist_backward(grad_output, self, p, pdist). `pdist` has one distance
/// for each pair of rows i < j, in the order of triu_indices.
Value pdist(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), of = a[1].tensor(), self = a[2].tensor(), dist = a[4].tensor();
  const Tensor numbers = call_op<"aten.triu_indices.default">(size(self, 0), size(self, 0), 1, DType::I64, Value(),
                                                              self.device(), Value());
  const Tensor i = call_op<"aten.select.int">(numbers, 0, 0), j = call_op<"aten.select.int">(numbers, 0, 1);
  const auto rows = [](const Tensor& t, const Tensor& which) {
    return call_op<"aten.index_select.default">(t, 0, which);
  };
  const auto apart = [&](const Tensor& t) { return sub(rows(t, i), rows(t, j)); };
  const Slopes s = slopes(apart(self), unsqueeze(dist, -1), a[3].as_double());
  const Tensor of_d = apart(grad), weighted = mul(of_d, unsqueeze(of, -1));
  Tensor g, x, d;
  if (s.first) g = sum_over(mul(of_d, s.first), -1);
  if (s.of_d) {
    const Tensor by_d = mul(weighted, s.of_d);
    x = zeros_like(grad);
    call_op<"aten.index_add_.default">(x, 0, i, by_d, 1);
    call_op<"aten.index_add_.default">(x, 0, j, by_d, -1);
  }
  if (s.of_dist) d = sum_over(mul(weighted, s.of_dist), -1);
  return Value::list(std::array{Value(or_zeros(g, of)), Value(or_zeros(x, self)), Value(or_zeros(d, dist))});
}

}  // namespace distance_gradients

void add_distance_functions() {
  add_gradient_function("cdist_backward_gradient", distance_gradients::cdist);
  add_gradient_function("pdist_backward_gradient", distance_gradients::pdist);
}

}  // namespace ersatz::derivatives
