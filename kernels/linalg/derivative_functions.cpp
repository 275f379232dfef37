// Functions for derivatives.def: gradients of solvers, determinants and inverses that a formula there cannot express.
// In comments, A^H is the conjugate transpose of A.
#include <limits>

#include "kernels/gradient_math.h"
#include "runtime/tensor/layout.h"

namespace ersatz::derivatives {

namespace solver_gradients {

using namespace gradient_math;

bool makes_graph() { return rule_context().grad_mode; }

/// True if B in A X = B has one vector for each matrix of A. `b` has the sizes of B.
bool is_vector(const Tensor& a, std::span<const SymInt> b) {
  if (b.size() == 1) return true;
  if (b.size() + 1 != static_cast<size_t>(a.dim())) return false;
  for (size_t d = 0; d < b.size(); ++d) {
    if (!size_eq(b[d], a.sizes()[d])) return false;
  }
  return true;
}
Tensor as_column(const Tensor& t, bool vector) { return vector ? unsqueeze(t, -1) : t; }

/// _linalg_solve_ex(A, B, left) has the solution X. The gradient of B is G = A^-H grad, and the gradient of A is -G
/// X^H.
Value of_solve(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), A = a[1].tensor(), X = a[3].tensor();
  const bool left = a[6].as_bool(), vector = is_vector(A, a[2].as_ints());
  const Tensor column = as_column(grad, vector);
  const Tensor of_b =
      makes_graph() ? solve(mH(A), column, left) : lu_solve(a[4].tensor(), a[5].tensor(), column, left, true);
  Tensor of_a;
  if (wanted(a[7], 0)) {
    const Tensor x = mH(as_column(X, vector));
    of_a = left ? neg(matmul(of_b, x)) : matmul(neg(x), of_b);
  }
  return pair(of_a, wanted(a[7], 1) ? (vector ? squeeze(of_b, -1) : of_b) : Tensor());
}

/// Returns zeros in the layout of a transposed matrix, with `on_diagonal` on the diagonal.
Tensor diagonal_by_columns(const Tensor& A, const Tensor& on_diagonal) {
  const Tensor d = mT(zeros_like(mT(A), MemoryFormat::Contiguous));
  gradient_ops().copy_into(diagonal(d), column(on_diagonal));
  return d;
}
/// True if LAPACK factorised A^T instead of A, which happens if A is real and row-major.
bool factors_of_transpose(const Tensor& A) {
  return is_contiguous(A.meta(), MemoryFormat::Contiguous) && !is_complex_tensor(A);
}

/// Gradient of _linalg_det(A): the solution X of A^H X = grad conj(det) I. Zeros on U's diagonal are replaced by
/// epsilon, so that a singular A has a gradient too.
Value of_det(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), det = a[1].tensor(), A = a[2].tensor(), LU = a[3].tensor();
  if (size_le(size(A, -1), 1)) return expand(column(column(grad)), A.sizes());
  const Tensor g = mul(grad, conj(det));
  if (makes_graph()) {
    const Tensor line = expand(column(g), a[4].tensor().sizes());
    return solve(mH(A), diag_embed(line));
  }
  const Tensor on_diagonal = diagonal(LU);
  const double eps = real_dtype(A.dtype()) == DType::F64 ? std::numeric_limits<double>::epsilon()
                                                         : std::numeric_limits<float>::epsilon();
  const Tensor moved = call_op<"aten.mul.Scalar">(gradient_ops().cast(is_zero(on_diagonal), A.dtype()), eps);
  return lu_solve(add(LU, diag_embed(moved)), a[4].tensor(), diagonal_by_columns(A, g), true, !factors_of_transpose(A));
}

/// Gradient of _linalg_slogdet(A): the solution X of A^H X = c I. The real part of c is the gradient of logabsdet. For
/// complex matrices the imaginary part comes from the gradient of sign, whose phase depends on A.
Value of_slogdet(Arguments a) {
  const Tensor of_sign = tensor(a[0]), of_log = tensor(a[1]), A = a[2].tensor(), sign = a[3].tensor();
  const bool complex = is_complex_tensor(A);
  if (!of_log && (!of_sign || !complex)) return {};
  Tensor g = of_log;
  if (complex && of_sign) {
    const Tensor turning = call_op<"aten.imag.default">(call_op<"aten.resolve_conj.default">(mul(conj(of_sign), sign)));
    const Tensor stretching = of_log ? of_log : zeros_like(turning);
    g = call_op<"aten.complex.default">(stretching, neg(turning));
  }
  if (complex && !is_complex_tensor(g)) g = gradient_ops().cast(g, A.dtype());
  if (makes_graph()) return solve(mH(A), diag_embed(expand(column(g), a[5].tensor().sizes())));
  return lu_solve(a[4].tensor(), a[5].tensor(), diagonal_by_columns(A, g), true, !factors_of_transpose(A));
}

/// Gradient of A, where X is the inverse of A: -X^H grad X^H.
Value of_inverse(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor back = mH(a[1].tensor());
  return neg(matmul(back, matmul(a[0].tensor(), back)));
}

/// Gradients of A and B of linalg_solve_triangular(A, B).
Value of_triangular(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor A = a[1].tensor(), X = a[2].tensor();
  const bool upper = a[3].as_bool(), left = a[4].as_bool(), unit = a[5].as_bool();
  const Tensor of_b = solve_triangular(mH(A), a[0].tensor(), !upper, left, unit);
  Tensor of_a;
  if (wanted(a[6], 0)) {
    const Tensor whole = left ? neg(matmul(of_b, mH(X))) : matmul(neg(mH(X)), of_b);
    of_a = upper ? triu(whole, unit ? 1 : 0) : tril(whole, unit ? -1 : 0);
  }
  return pair(of_a, wanted(a[6], 1) ? of_b : Tensor());
}

/// Gradients of b and A of triangular_solve(b, A). The second result is a copy of A, so its gradient is added to A's.
Value of_triangular_solve(Arguments a) {
  const Tensor of_x = tensor(a[0]), of_copy = tensor(a[1]), A = a[3].tensor();
  const bool upper = a[5].as_bool(), transpose = a[6].as_bool(), unit = a[7].as_bool();
  Tensor of_b, of_a;
  if (of_x) {
    of_b = call_op_all<"aten.triangular_solve.default">(of_x, conj(A), upper, !transpose, unit)[0].tensor();
    if (wanted(a[8], 1)) {
      const Tensor X = a[4].tensor();
      const Tensor whole = transpose ? matmul(neg(conj(X)), mT(of_b)) : matmul(neg(of_b), mH(X));
      of_a = upper ? triu(whole, unit ? 1 : 0) : tril(whole, unit ? -1 : 0);
    }
  }
  if (!of_x && of_copy) of_b = expand(zeros(of_copy, {}), a[2].as_ints());
  return pair(wanted(a[8], 0) ? of_b : Tensor(), wanted(a[8], 1) ? sum_of(of_a, of_copy) : Tensor());
}

// ---- Cholesky ------------------------------------------------------------------------------------------------------

/// Gradient of linalg_cholesky_ex: L^-H phi(L^H grad) L^-1, where phi copies the strict lower triangle's conjugate to
/// the upper triangle and halves the result.
Value of_cholesky(Arguments a) {
  if (a[0].is_none()) return {};
  const bool upper = a[2].as_bool();
  const Tensor L = upper ? mH(a[1].tensor()) : a[1].tensor(), grad = upper ? mH(a[0].tensor()) : a[0].tensor();
  const Tensor lower = matmul(mH(L), grad);
  const Tensor phi = mul(add(tril(lower), mH(tril(lower, -1))), 0.5);
  return solve_triangular(L, solve_triangular(mH(L), phi, true, true), false, false);
}

Value of_cholesky_inverse(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), L = a[1].tensor(), inverse = a[3].tensor();
  const Tensor common = matmul(inverse, matmul(add(grad, mH(grad)), inverse));
  return a[2].as_bool() ? matmul(neg(L), common) : matmul(neg(common), L);
}

Value of_cholesky_solve(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor L = a[1].tensor(), X = a[2].tensor();
  const bool upper = a[3].as_bool();
  const Tensor of_b = call_op<"aten.cholesky_solve.default">(a[0].tensor(), L, upper);
  Tensor of_l;
  if (wanted(a[4], 1)) {
    const Tensor one = matmul(of_b, mH(X)), common = add(one, mH(one));
    of_l = upper ? matmul(neg(L), common) : matmul(neg(common), L);
  }
  return pair(wanted(a[4], 0) ? of_b : Tensor(), of_l);
}

// ---- LU ------------------------------------------------------------------------------------------------------------

/// Gradient of A = P L U. `of_l`, the gradient of L, is read below the diagonal, and `of_u`, the gradient of U, on and
/// above it. Either may be undefined.
Tensor of_factors(const Tensor& of_l, const Tensor& of_u, const Tensor& P, const Tensor& L, const Tensor& U,
                  bool pivot) {
  const SymInt m = size(L, -2), n = size(U, -1), k = size(L, -1);
  const auto upper_corner = [&](const Tensor& t) { return narrow(t, -2, 0, k); };
  const auto left_corner = [&](const Tensor& t) { return narrow(t, -1, 0, k); };
  const Tensor L1 = upper_corner(L), U1 = left_corner(U);
  const bool tall = guard_gt(m, n), wide = guard_gt(n, m);
  Tensor below, above;  // lower and upper triangle of the gradient of L1^-1 A1 U1^-1
  if (of_l) below = matmul(mH(L1), tall ? upper_corner(of_l) : of_l);
  if (of_u) above = matmul(wide ? left_corner(of_u) : of_u, mH(U1));
  Tensor more;  // the gradient of the rows or columns outside of the square part
  if (wide && of_u) {
    more = narrow(of_u, -1, k, n - k);
    below = sum_of(below, neg(matmul(more, mH(narrow(U, -1, k, n - k)))));
  }
  if (tall && of_l) {
    more = narrow(of_l, -2, k, m - k);
    above = sum_of(above, neg(matmul(mH(narrow(L, -2, k, m - k)), more)));
  }
  Tensor made = sum_of(below ? tril(below, -1) : Tensor(), above ? triu(above) : Tensor());
  const auto by_u = [&](const Tensor& t) { return solve_triangular(mH(U1), t, false, false); };
  const auto by_l = [&](const Tensor& t) { return solve_triangular(mH(L1), t, true, true, true); };
  made = by_l(by_u(made));
  if (wide) {
    DimVec rest(made.sizes());
    rest.back() = n - k;
    made = cat(made, more ? by_l(more) : zeros(made, rest), -1);
  }
  if (tall) {
    DimVec rest(made.sizes());
    rest[rest.size() - 2] = m - k;
    made = cat(made, more ? by_u(more) : zeros(made, rest), -2);
  }
  return pivot ? matmul(P, made) : made;
}
Value of_lu(Arguments a) {
  const Tensor of_l = tensor(a[0]), of_u = tensor(a[1]);
  if (!of_l && !of_u) return {};
  return of_factors(of_l, of_u, a[2].tensor(), a[3].tensor(), a[4].tensor(), a[5].as_bool());
}
Value of_lu_factor(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), LU = a[1].tensor();
  const bool pivot = a[3].as_bool();
  const Values plu = call_op_all<"aten.lu_unpack.default">(LU, a[2].tensor(), true, pivot);
  const SymInt k = sym_min(size(LU, -2), size(LU, -1));
  return of_factors(narrow(grad, -1, 0, k), narrow(grad, -2, 0, k), plu[0].tensor(), plu[1].tensor(), plu[2].tensor(),
                    pivot);
}
/// Gradient of lu_unpack: one matrix with the sizes of LU that has the gradient of L below the diagonal, and the
/// gradient of U on and above it.
Value of_unpack(Arguments a) {
  const Tensor of_l = tensor(a[0]), of_u = tensor(a[1]);
  if (!of_l && !of_u) return {};
  const SymInt m = a[2].as_ints()[a[2].as_ints().size() - 2], n = a[2].as_ints().back();
  const auto complete = [&](Tensor t) {
    const SymInt rows = m - size(t, -2), columns = n - size(t, -1);
    if (size_eq(rows, 0) && size_eq(columns, 0)) return t;
    return call_op<"aten.constant_pad_nd.default">(t, DimVec{0, columns, 0, rows}, 0);
  };
  return sum_of(of_l ? complete(tril(of_l, -1)) : Tensor(), of_u ? complete(triu(of_u)) : Tensor());
}
/// Gradients of LU and B of linalg_lu_solve(LU, pivots, B, left, adjoint).
Value of_lu_solve(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), LU = a[1].tensor(), pivots = a[2].tensor(), X = a[3].tensor();
  const bool left = a[4].as_bool(), adjoint = a[5].as_bool();
  const Tensor of_b = lu_solve(LU, pivots, grad, left, !adjoint);
  Tensor of_factored;
  if (wanted(a[6], 0)) {
    // the gradient of A, or of A^H if `adjoint`
    Tensor of_a = left ? neg(matmul(of_b, mH(X))) : matmul(neg(mH(X)), of_b);
    if (adjoint) of_a = mH(of_a);
    const Values plu = call_op_all<"aten.lu_unpack.default">(LU, pivots, true, true);
    const Tensor unpivoted = matmul(mT(plu[0].tensor()), of_a);
    of_factored = add(tril(matmul(unpivoted, mH(plu[2].tensor())), -1), triu(matmul(mH(plu[1].tensor()), unpivoted)));
  }
  return pair(of_factored, wanted(a[6], 1) ? of_b : Tensor());
}

/// Gradient of trace(self): a matrix with the gradient of the trace on its diagonal.
Value of_trace(Arguments a) {
  if (a[0].is_none()) return {};
  const auto sizes = a[1].as_ints();
  const Tensor whole = zeros(a[0].tensor(), sizes);
  gradient_ops().copy_into(diagonal(whole), a[0].tensor());
  return whole;
}

}  // namespace solver_gradients

void add_linalg_functions() {
  using namespace solver_gradients;
  add_gradient_function("cholesky_gradient", of_cholesky);
  add_gradient_function("cholesky_inverse_gradient", of_cholesky_inverse);
  add_gradient_function("cholesky_solve_gradient", of_cholesky_solve);
  add_gradient_function("det_gradient", of_det);
  add_gradient_function("inverse_gradient", of_inverse);
  add_gradient_function("lu_factor_gradient", of_lu_factor);
  add_gradient_function("lu_gradient", of_lu);
  add_gradient_function("lu_solve_gradient", of_lu_solve);
  add_gradient_function("lu_unpack_gradient", of_unpack);
  add_gradient_function("slogdet_gradient", of_slogdet);
  add_gradient_function("solve_gradient", of_solve);
  add_gradient_function("solve_triangular_gradient", of_triangular);
  add_gradient_function("trace_gradient", of_trace);
  add_gradient_function("triangular_solve_gradient", of_triangular_solve);
  add_distance_functions();
  add_reflector_functions();
  add_spectral_functions();
}

}  // namespace ersatz::derivatives
