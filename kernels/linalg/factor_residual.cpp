#include "kernels/linalg/factor_residual.h"

#include <cmath>

#include "kernels/dense_operand.h"
#include "kernels/linalg/matmul.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/slice.h"
#include "runtime/op/dispatch.h"

namespace ersatz {
namespace {

Tensor wide(const Value& v) { return ops::to(v.tensor(), DType::C128); }
Tensor adjoint(const Tensor& t) { return call_op<"aten.mH.default">(t); }
/// Returns V diag(w), which is each column of V times its element of w.
Tensor scaled(const Tensor& v, const Tensor& w) {
  return ops::mul(v, call_op<"aten.unsqueeze.default">(w, int64_t(-2)));
}

double distance(const Tensor& a, const Tensor& b) {
  const Tensor x = dense_input(a), y = dense_input(b);
  double largest = 0, size = 1;
  for (int64_t i = 0; i < x.numel().as_int(); ++i) {
    const std::complex<double> p = x.data<std::complex<double>>()[i], q = y.data<std::complex<double>>()[i];
    if (const double d = std::abs(p - q); !(d <= largest)) largest = d;
    size = std::max(size, std::abs(q));
  }
  return largest / size;
}
/// Returns the largest magnitude of the elements of V^H V - I.
double orthonormal(const Tensor& v) {
  const Tensor product = dense_input(ops::matmul(adjoint(v), v));
  const int64_t n = product.sizes().back().as_int();
  double largest = 0;
  for (int64_t i = 0; i < product.numel().as_int(); ++i) {
    const double expected = i / n % n == i % n ? 1 : 0;
    if (const double d = std::abs(product.data<std::complex<double>>()[i] - expected); !(d <= largest)) largest = d;
  }
  return largest;
}
double both(double a, double b) { return a >= b || std::isnan(a) ? a : b; }
bool is_matrix(const Value& v) { return v.tensor().dim() >= 2; }

double svd(const Tensor& a, const Tensor& u, const Tensor& s, const Tensor& vh) {
  const SymInt k = s.sizes().back();
  const Tensor product = ops::matmul(scaled(ops::slice(u, -1, SymInt(0), k), s), ops::slice(vh, -2, SymInt(0), k));
  return both(distance(product, a), both(orthonormal(u), orthonormal(adjoint(vh))));
}

}  // namespace

double hermitian_residual(std::span<const Value> args, std::span<const Value> results) {
  if (!is_matrix(results[1])) return 0;
  const char first = args[1].as_string()[0];
  const bool upper = first == 'U' || first == 'u';
  const Tensor a = wide(args[0]), v = wide(results[1]), w = wide(results[0]);
  const Tensor with = call_op(upper ? op_entry<"aten.triu.default">() : op_entry<"aten.tril.default">(), a, int64_t(0));
  const Tensor without =
      call_op(upper ? op_entry<"aten.triu.default">() : op_entry<"aten.tril.default">(), a, int64_t(upper ? 1 : -1));
  // LAPACK reads only one triangle of A and the real part of the diagonal. `twice` is two times the Hermitian matrix
  // that the triangle and the diagonal determine.
  const Tensor twice = ops::add(ops::add(with, adjoint(with)), ops::add(without, adjoint(without)));
  const Tensor whole = ops::mul(twice, 0.5);
  return both(distance(ops::matmul(whole, v), scaled(v, w)), orthonormal(v));
}
double eigen_residual(std::span<const Value> args, std::span<const Value> results) {
  const Tensor a = wide(args[0]), v = wide(results[1]), w = wide(results[0]);
  const Tensor norms =
      call_op<"aten.sum.dim_IntList">(ops::mul(v, call_op<"aten.conj.default">(v)), DimVec{SymInt(-2)}, false, Value());
  const Tensor ones = call_op<"aten.ones_like.default">(norms, Value(), Value(), Value(), Value(), Value());
  return both(distance(ops::matmul(a, v), scaled(v, w)), distance(norms, ones));
}
double svd_residual(std::span<const Value> args, std::span<const Value> results) {
  if (!is_matrix(results[0])) return 0;
  return svd(wide(args[0]), wide(results[0]), wide(results[1]), wide(results[2]));
}
double old_svd_residual(std::span<const Value> args, std::span<const Value> results) {
  if (!args[2].as_bool()) return 0;
  return svd(wide(args[0]), wide(results[0]), wide(results[1]), adjoint(wide(results[2])));
}
double qr_residual(std::span<const Value> args, std::span<const Value> results) {
  const Tensor a = wide(args[0]), r = wide(results[1]);
  const double triangle = distance(r, call_op<"aten.triu.default">(r, int64_t(0)));
  if (!is_matrix(results[0])) return both(triangle, distance(ops::matmul(adjoint(r), r), ops::matmul(adjoint(a), a)));
  const Tensor q = wide(results[0]);
  return both(triangle, both(distance(ops::matmul(q, r), a), orthonormal(q)));
}

}  // namespace ersatz
