// Gradients of products of Householder reflectors H_i = I - tau_i v_i v_i^H. Element i of v_i is 1, and the elements
// above it are 0.
#include "kernels/gradient_math.h"

namespace ersatz::derivatives {

namespace reflector_gradients {

using namespace gradient_math;

/// Returns the gradients of the vectors and of tau. `grad` is the gradient of the first columns of H_1 H_2 ... H_k.
std::pair<Tensor, Tensor> of_product(const Tensor& grad, const Tensor& vectors, const Tensor& tau) {
  if (size_eq(vectors.numel(), 0) || size_eq(tau.numel(), 0)) return {};
  const SymInt m = size(vectors, -2);
  const int64_t k = size(tau, -1).guard_int();
  const Tensor lower = tril(narrow(vectors, -1, 0, k), -1);
  DimVec ones(tau.sizes());
  ones.back() = m;
  const Tensor diagonal_ones = call_op<"aten.new_ones.default">(lower, ones, Value(), Value(), Value(), Value());
  const Tensor v_all = add(lower, narrow(diag_embed(diagonal_ones), -1, 0, k));
  const auto vector = [&](int64_t i) { return narrow(v_all, -1, i, 1); };
  const auto factor = [&](int64_t i) { return column(narrow(tau, -1, i, 1)); };
  const auto reflected = [&](const Tensor& t, int64_t i, bool adjoint) {
    const Tensor by = adjoint ? conj(factor(i)) : factor(i);
    return sub(t, mul(by, matmul(vector(i), matmul(mH(vector(i)), t))));
  };
  // right[i] is H_{i+1} ... H_k, the product to the right of H_i.
  std::vector<Tensor> right(static_cast<size_t>(k));
  Tensor product = narrow(diag_embed(diagonal_ones), -1, 0, size(grad, -1));
  for (int64_t i = k; i-- > 0;) {
    right[static_cast<size_t>(i)] = product;
    product = reflected(product, i, false);
  }
  std::vector<Value> of_vectors, of_tau;
  Tensor left = grad;
  for (int64_t i = 0; i < k; ++i) {
    const Tensor v = vector(i), r = right[static_cast<size_t>(i)];
    const Tensor along = matmul(left, matmul(mH(r), v)), across = matmul(r, matmul(mH(left), v));
    of_tau.push_back(Value(squeeze(neg(matmul(mH(v), along)), -1)));
    of_vectors.push_back(Value(neg(add(mul(conj(factor(i)), along), mul(factor(i), across)))));
    left = reflected(left, i, true);
  }
  const Tensor whole = zeros_like(vectors, MemoryFormat::Preserve);
  gradient_ops().copy_into(narrow(whole, -1, 0, k),
                           tril(call_op<"aten.cat.default">(std::span<const Value>(of_vectors), int64_t(-1)), -1));
  return {whole, call_op<"aten.cat.default">(std::span<const Value>(of_tau), int64_t(-1))};
}

Value householder(Arguments a) {
  if (a[0].is_none()) return {};
  const auto [of_vectors, of_tau] = of_product(a[0].tensor(), a[1].tensor(), a[2].tensor());
  return of_vectors ? pair(of_vectors, of_tau) : Value();
}

/// Gradients of ormqr(vectors, tau, C, left, transpose), which multiplies C by the product of all reflectors, or by its
/// adjoint if `transpose` is true.
Value ormqr(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), vectors = a[1].tensor(), tau = a[2].tensor(), C = a[3].tensor();
  const bool left = a[4].as_bool(), transpose = a[5].as_bool();
  Tensor of_vectors, of_tau, of_c;
  if (wanted(a[6], 2)) of_c = call_op<"aten.ormqr.default">(vectors, tau, grad, left, !transpose);
  if (wanted(a[6], 0) || wanted(a[6], 1)) {
    const Tensor of_q = left ? (transpose ? matmul(C, mH(grad)) : matmul(grad, mH(C)))
                             : (transpose ? matmul(mH(grad), C) : matmul(mH(C), grad));
    std::tie(of_vectors, of_tau) = of_product(of_q, vectors, tau);
  }
  return Value::list(std::array{Value(of_vectors), Value(of_tau), Value(of_c)});
}

}  // namespace reflector_gradients

void add_reflector_functions() {
  add_gradient_function("householder_gradient", reflector_gradients::householder);
  add_gradient_function("ormqr_gradient", reflector_gradients::ormqr);
}

}  // namespace ersatz::derivatives
