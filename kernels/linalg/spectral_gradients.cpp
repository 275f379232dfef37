// Gradients of singular value, eigenvalue, QR and polar decompositions, and of functions of matrices. In formulas, gX
// is the incoming gradient of the result X.
#include "kernels/gradient_math.h"

namespace ersatz::derivatives {

namespace spectral_gradients {

using namespace gradient_math;

/// Fills the diagonal of `t` in place. REQUIRES: no other code uses the memory of `t`.
void set_diagonal(const Tensor& t, double value) { call_op<"aten.fill_.Scalar">(diagonal(t), value); }
Tensor hermitian_part(const Tensor& t) { return add(t, mH(t)); }
Tensor skew_part(const Tensor& t) { return sub(t, mH(t)); }
bool is_finite_work(const Tensor& t) { return !t.is_fake() && t.device().type != DeviceType::Meta; }

/// Raises a value failure if the loss depends on the phase of complex eigenvectors or singular vectors, which are
/// determined only up to a phase. A fake tensor has no values, so it never causes this failure.
void require_invariant(std::string_view op, const Tensor& imaginary) {
  if (!is_finite_work(imaginary)) return;
  const Tensor small = call_op<"aten.lt.Scalar">(abs(imaginary), 1e-2);
  if (!call_op_all<"aten._local_scalar_dense.default">(call_op<"aten.all.default">(small))[0].as_bool()) {
    Error e(ErrorKind::InvalidArgument, ErrorFamily::Runtime,
            fmt::format("{}: the loss depends on the phase of complex vectors, which are specified up to "
                        "multiplication by e^(i phi): its gradient is not defined",
                        op));
    e.value_failure = true;
    throw e;
  }
}
Tensor imaginary(const Tensor& t) { return call_op<"aten.imag.default">(call_op<"aten.resolve_conj.default">(t)); }

/// Gradient of _linalg_eigh(A), where E_ij = L_j - L_i and herm(X) = (X + X^H) / 2:
///
///     V (diag(gL) + herm((V^H gV) / E)) V^H
Value of_eigh(Arguments a) {
  const Tensor of_values = tensor(a[0]), of_vectors = tensor(a[1]), L = a[2].tensor(), V = a[3].tensor();
  if (!of_values && !of_vectors) return {};
  if (!of_vectors) return matmul(mul(V, row(of_values)), mH(V));
  const Tensor turning = matmul(mH(V), of_vectors);
  if (is_complex_tensor(V)) require_invariant("linalg_eigh", imaginary(diagonal(turning)));
  const Tensor apart = sub(row(L), column(L));
  set_diagonal(apart, 1);
  const Tensor inner = mul(hermitian_part(div(turning, apart)), 0.5);
  if (of_values) {
    gradient_ops().copy_into(diagonal(inner), of_values);
  } else {
    set_diagonal(inner, 0);
  }
  return matmul(V, matmul(inner, mH(V)));
}

/// Gradient of linalg_eig(A), where E_ij = L_j - L_i:
///
///     V^-H (diag(gL) + (V^H gV - V^H V diag(Re(V^H gV))) / conj(E)) V^H
Value of_eig(Arguments a) {
  const Tensor of_values = tensor(a[0]), of_vectors = tensor(a[1]), L = a[2].tensor(), V = a[3].tensor();
  if (!of_values && !of_vectors) return {};
  if (!of_vectors) return solve(mH(V), mul(column(of_values), mH(V)));
  const Tensor turning = matmul(mH(V), of_vectors), along = diagonal(turning);
  require_invariant("linalg_eig", imaginary(along));
  const Tensor free = sub(turning, mul(matmul(mH(V), V), row(real(along))));
  const Tensor apart = conj(sub(row(L), column(L)));
  set_diagonal(apart, 1);
  const Tensor inner = div(free, apart);
  if (of_values) {
    gradient_ops().copy_into(diagonal(inner), of_values);
  } else {
    set_diagonal(inner, 0);
  }
  return solve(mH(V), matmul(inner, mH(V)));
}

/// Gradient of _linalg_svd(A), where E_ij = S_j^2 - S_i^2 and skew(X) = X - X^H:
///
///     U [(skew(U^H gU) / E) S + S (skew(V^H gV) / E) + diag(gS)] V^H
///
/// If A is not square, the parts of gU and gV outside of the spans of U and V are added.
Value of_svd(Arguments a) {
  Tensor of_u = tensor(a[0]), of_s = tensor(a[1]), of_vh = tensor(a[2]);
  Tensor U = a[3].tensor(), Vh = a[5].tensor();
  const Tensor S = a[4].tensor();
  if (!of_u && !of_s && !of_vh) return {};
  const SymInt m = a[6].as_ints()[a[6].as_ints().size() - 2], n = a[6].as_ints().back(), k = size(S, -1);
  const bool full = a[7].as_bool();
  if (!a[8].as_bool()) fail_argument("svd: gradients need the singular vectors: compute_uv=True");
  if (full) {  // the columns of U and rows of Vh beyond the first k have no gradient, because A does not determine them
    const bool more_u = guard_gt(m, k), more_v = guard_gt(n, k);
    if (more_u && of_u) of_u = narrow(of_u, -1, 0, k);
    if (more_v && of_vh) of_vh = narrow(of_vh, -2, 0, k);
    U = narrow(U, -1, 0, k), Vh = narrow(Vh, -2, 0, k);
  }
  if (!of_u && !of_vh) {
    return guard_ge(m, n) ? matmul(U, mul(column(of_s), Vh)) : matmul(mul(U, row(of_s)), Vh);
  }
  const bool complex = is_complex_tensor(U);
  const Tensor by_u = of_u ? skew_part(matmul(mH(U), of_u)) : Tensor();
  const Tensor by_v = of_vh ? skew_part(matmul(Vh, mH(of_vh))) : Tensor();
  if (complex) {
    const Tensor turn =
        sum_of(by_u ? imaginary(diagonal(by_u)) : Tensor(), by_v ? imaginary(diagonal(by_v)) : Tensor());
    require_invariant("svd", turn);
  }
  const Tensor squares = mul(S, S), apart = sub(row(squares), column(squares));
  set_diagonal(apart, 1);
  Tensor inner = sum_of(by_u ? mul(by_u, row(S)) : Tensor(), by_v ? mul(column(S), by_v) : Tensor());
  inner = div(inner, apart);
  if (of_s) inner = add(inner, diag_embed(of_s));
  if (complex && by_u) {
    inner = add(inner, diag_embed(div(diagonal(by_u), call_op<"aten.mul.Scalar">(S, 2))));
  }
  // returns the part of t that is orthogonal to the span of basis
  const auto beside = [](const Tensor& t, const Tensor& basis) { return sub(t, matmul(basis, matmul(mH(basis), t))); };
  if (guard_gt(m, k) && of_u) {
    const Tensor outer = div(of_u, row(S));
    return matmul(add(matmul(U, inner), beside(outer, U)), Vh);
  }
  if (guard_gt(n, k) && of_vh) {
    const Tensor outer = div(of_vh, column(S));
    return matmul(U, add(matmul(inner, Vh), sub(outer, matmul(matmul(outer, mH(Vh)), Vh))));
  }
  return guard_ge(m, n) ? matmul(U, matmul(inner, Vh)) : matmul(matmul(U, inner), Vh);
}

/// Gradient of A of linalg_qr(A, mode). Raises for the modes and sizes for which PyTorch has no gradient.
Value of_qr(Arguments a) {
  const Tensor of_q = tensor(a[0]), of_r = tensor(a[1]), Q = a[2].tensor(), R = a[3].tensor();
  if (!of_q && !of_r) return {};
  const std::string_view mode = a[4].as_string();
  if (mode == "r") fail_argument("linalg_qr: its gradient needs Q, which mode='r' does not compute");
  const SymInt m = size(Q, -2), n = size(R, -1);
  if (mode == "complete" && guard_gt(m, n)) {
    fail_argument("linalg_qr: mode='complete' has no gradient for matrices with more rows than columns");
  }
  if (guard_ge(m, n)) {
    Tensor upper = of_r ? matmul(of_r, mH(R)) : Tensor();
    if (of_q) upper = upper ? sub(upper, matmul(mH(Q), of_q)) : neg(matmul(mH(Q), of_q));
    upper = triu(upper);
    Tensor both_halves = add(upper, mH(triu(upper, 1)));
    if (is_complex_tensor(both_halves)) {
      both_halves = call_op<"aten.clone.default">(both_halves, Value());
      gradient_ops().copy_into(diagonal(both_halves), real(diagonal(upper)));
    }
    Tensor made = matmul(Q, both_halves);
    if (of_q) made = add(made, of_q);
    return solve_triangular(mH(R), made, false, false);
  }
  const Tensor R1 = narrow(R, -1, 0, m);
  Tensor lower = of_q ? matmul(mH(Q), of_q) : Tensor();
  if (of_r) lower = lower ? sub(lower, matmul(of_r, mH(R))) : neg(matmul(of_r, mH(R)));
  // `turned` has the skew part of `lower` below the diagonal, and the imaginary part of `lower` on the diagonal.
  Tensor turned = tril(skew_part(lower), -1);
  if (is_complex_tensor(turned)) {
    const Tensor on_it = diagonal(lower);
    gradient_ops().copy_into(diagonal(turned),
                             call_op<"aten.complex.default">(zeros_like(real(on_it)), imaginary(on_it)));
  }
  turned = solve_triangular(mH(R1), turned, false, false);
  turned = call_op<"aten.constant_pad_nd.default">(turned, DimVec{0, n - m}, 0);
  return matmul(Q, of_r ? add(of_r, turned) : turned);
}

/// Gradient of linalg_matrix_exp(A): the upper right block of exp([[A^H, grad], [0, A^H]]).
Value of_exp(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor A = mH(a[1].tensor());
  const SymInt n = size(A, -1);
  DimVec sizes(A.sizes());
  sizes[sizes.size() - 1] = sizes[sizes.size() - 2] = n * 2;
  const Tensor whole = zeros(A, sizes);
  const auto block = [&](const Tensor& t, bool low, bool right) {
    return narrow(narrow(t, -2, low ? n : SymInt(0), n), -1, right ? n : SymInt(0), n);
  };
  gradient_ops().copy_into(block(whole, false, false), A);
  gradient_ops().copy_into(block(whole, true, true), A);
  gradient_ops().copy_into(block(whole, false, true), a[0].tensor());
  return block(call_op<"aten.linalg_matrix_exp.default">(whole), false, true);
}

/// Returns the solution Y of X Y + Y X = t for a Hermitian X = V diag(s) V^H.
Tensor solve_sylvester(const Tensor& V, const Tensor& s, const Tensor& t) {
  const Tensor inner = div(matmul(mH(V), matmul(t, V)), add(row(s), column(s)));
  return matmul(V, matmul(inner, mH(V)));
}
Value of_sqrt(Arguments a) {
  if (a[0].is_none()) return {};
  const Values factors = call_op_all<"aten.linalg_eigh.default">(a[1].tensor(), "L");
  const Tensor grad = mul(hermitian_part(a[0].tensor()), 0.5);
  return solve_sylvester(factors[1].tensor(), factors[0].tensor(), grad);
}

/// Gradient of A of linalg_polar(A) = U H: the sum of the parts from U and from H.
Value of_polar(Arguments a) {
  const Tensor of_u = tensor(a[0]), of_h = tensor(a[1]), U = a[2].tensor(), H = a[3].tensor();
  if (!of_u && !of_h) return {};
  const Values factors = call_op_all<"aten.linalg_eigh.default">(H, "L");
  const Tensor V = factors[1].tensor(), s = factors[0].tensor();
  Tensor made;
  if (of_u) {
    const Tensor skew = solve_sylvester(V, s, skew_part(matmul(mH(U), of_u)));
    made = matmul(U, skew);
    if (!size_eq(size(U, -2), size(U, -1))) {
      const Tensor beside = sub(of_u, matmul(U, matmul(mH(U), of_u)));
      made = add(made, call_op<"aten.linalg_solve.default">(H, beside, false));
    }
  }
  if (of_h) {
    const Tensor even = solve_sylvester(V, s, hermitian_part(of_h));
    made = sum_of(made, matmul(U, matmul(H, even)));
  }
  return made;
}

/// Gradient of linalg_pinv(A). The sum has the layout of its first term, which is column-major like in PyTorch.
Tensor of_pinv(const Tensor& grad, const Tensor& pinv, const Tensor& A) {
  const Tensor gh = mH(grad), ph = mH(pinv);
  if (guard_le(size(A, -2), size(A, -1))) {
    const Tensor K = matmul(gh, pinv), along = matmul(K, ph);
    const Tensor first = sub(neg(mH(matmul(pinv, K))), matmul(matmul(A, pinv), along));
    return add(add(first, along), matmul(matmul(ph, pinv), sub(gh, matmul(K, A))));
  }
  const Tensor K = matmul(pinv, gh), along = matmul(ph, K);
  const Tensor first = add(neg(mH(matmul(K, pinv))), matmul(matmul(sub(gh, matmul(A, K)), pinv), ph));
  return sub(add(first, along), matmul(matmul(along, pinv), A));
}
Value pinv(Arguments a) {
  if (a[0].is_none()) return {};
  return of_pinv(a[0].tensor(), a[1].tensor(), a[2].tensor());
}

/// Gradients of A and B of linalg_lstsq(A, B), through X = pinv(A) B and through the residuals, which are the sums of
/// squares of A X - B.
Value of_lstsq(Arguments a) {
  const Tensor of_x = tensor(a[0]), of_rest = tensor(a[1]), A = a[2].tensor(), B = a[3].tensor(), X = a[4].tensor();
  if (!of_x && !of_rest) return {};
  const bool vector = A.dim() == B.dim() + 1;
  const auto columns = [&](const Tensor& t) { return vector ? unsqueeze(t, -1) : t; };
  const Tensor b = columns(B), x = columns(X);
  Tensor of_a, of_b;
  if (of_x) {
    const Tensor inverse = call_op<"aten.linalg_pinv.default">(A, 1e-15, false), g = columns(of_x);
    if (wanted(a[5], 0)) of_a = of_pinv(matmul(g, mH(b)), inverse, A);
    if (wanted(a[5], 1)) of_b = matmul(mH(inverse), g);
  }
  if (of_rest && !size_eq(of_rest.numel(), 0)) {
    const Tensor weighted = mul(mul(sub(matmul(A, x), b), 2), row(vector ? unsqueeze(of_rest, -1) : of_rest));
    if (wanted(a[5], 0)) of_a = sum_of(of_a, matmul(weighted, mH(x)));
    if (wanted(a[5], 1)) of_b = sum_of(of_b, neg(weighted));
  }
  if (of_b && vector) of_b = squeeze(of_b, -1);
  return pair(of_a, of_b);
}

}  // namespace spectral_gradients

void add_spectral_functions() {
  using namespace spectral_gradients;
  add_gradient_function("eig_gradient", of_eig);
  add_gradient_function("eigh_gradient", of_eigh);
  add_gradient_function("lstsq_gradient", of_lstsq);
  add_gradient_function("matrix_exp_gradient", of_exp);
  add_gradient_function("matrix_sqrt_gradient", of_sqrt);
  add_gradient_function("pinv_gradient", spectral_gradients::pinv);
  add_gradient_function("polar_gradient_of_matrix", of_polar);
  add_gradient_function("qr_gradient", of_qr);
  add_gradient_function("svd_gradient", of_svd);
}

}  // namespace ersatz::derivatives
