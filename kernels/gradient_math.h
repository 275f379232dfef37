// Short names for operators in the functions of derivatives. Each one calls its operator through dispatch, so that a
// backward run with create_graph records the call.
#pragma once

#include "kernels/derivatives.h"
#include "runtime/autograd/formula.h"
#include "runtime/autograd/gradient_ops.h"
#include "runtime/op/dispatch.h"

namespace ersatz::gradient_math {

using Arguments = std::span<const Value>;

inline Tensor tensor(const Value& v) { return v.is_tensor() ? v.tensor() : Tensor(); }
inline int64_t wrap(int64_t dim, int64_t rank) { return dim < 0 ? dim + std::max<int64_t>(rank, 1) : dim; }
inline bool wanted(const Value& needed, size_t i) { return needed.as_list()[i].as_bool(); }
inline bool is_complex_tensor(const Tensor& t) { return is_complex(t.dtype()); }

inline Tensor add(const Tensor& a, const Tensor& b) { return call_op<"aten.add.Tensor">(a, b, 1); }
inline Tensor add(const Tensor& a, const Value& number) { return call_op<"aten.add.Scalar">(a, number, 1); }
inline Tensor sub(const Tensor& a, const Tensor& b) { return call_op<"aten.sub.Tensor">(a, b, 1); }
/// Returns number - t.
inline Tensor from(const Value& number, const Tensor& t) { return call_op<"aten.rsub.Scalar">(t, number, 1); }
inline Tensor mul(const Tensor& a, const Tensor& b) { return call_op<"aten.mul.Tensor">(a, b); }
inline Tensor mul(const Tensor& a, const Value& number) { return call_op<"aten.mul.Scalar">(a, number); }
inline Tensor div(const Tensor& a, const Tensor& b) { return call_op<"aten.div.Tensor">(a, b); }
inline Tensor div(const Tensor& a, const Value& number) { return call_op<"aten.div.Scalar">(a, number); }
inline Tensor neg(const Tensor& a) { return call_op<"aten.neg.default">(a); }
inline Tensor square(const Tensor& t) { return mul(t, t); }
inline Tensor sigmoid(const Tensor& t) { return call_op<"aten.sigmoid.default">(t); }
/// Returns a + b. An undefined tensor counts as zero.
inline Tensor sum_of(const Tensor& a, const Tensor& b) { return !a ? b : !b ? a : add(a, b); }
inline Tensor abs(const Tensor& t) { return call_op<"aten.abs.default">(t); }
inline Tensor exp(const Tensor& t) { return call_op<"aten.exp.default">(t); }
inline Tensor log(const Tensor& t) { return call_op<"aten.log.default">(t); }
inline Tensor sgn(const Tensor& t) { return call_op<"aten.sgn.default">(t); }
inline Tensor pow(const Tensor& t, double exponent) { return call_op<"aten.pow.Tensor_Scalar">(t, exponent); }
inline Tensor conj(const Tensor& t) { return is_complex_tensor(t) ? call_op<"aten._conj.default">(t) : t; }
inline Tensor real(const Tensor& t) { return is_complex_tensor(t) ? gradient_ops().real_part(t) : t; }
inline Tensor is_zero(const Tensor& t) { return call_op<"aten.eq.Scalar">(t, 0); }
inline Tensor equal(const Tensor& a, const Tensor& b) { return call_op<"aten.eq.Tensor">(a, b); }
inline Tensor is_nan(const Tensor& t) { return call_op<"aten.isnan.default">(t); }
inline Tensor both(const Tensor& a, const Tensor& b) { return call_op<"aten.logical_and.default">(a, b); }
inline Tensor either(const Tensor& a, const Tensor& b) { return call_op<"aten.logical_or.default">(a, b); }
inline Tensor fill_where(const Tensor& t, const Tensor& mask, const Value& value) {
  return call_op<"aten.masked_fill.Scalar">(t, mask, value);
}
/// Calls `masked_fill_`, which writes into `t` and keeps the strides of `t`. REQUIRES: the caller made `t`, and no
/// other code uses it.
inline Tensor fill(const Tensor& t, const Tensor& mask, const Value& value) {
  return call_op<"aten.masked_fill_.Scalar">(t, mask, value);
}
/// Returns t where the condition is true, else 0.
inline Tensor masked(const Tensor& condition, const Tensor& t) {
  return call_op<"aten.where.ScalarOther">(condition, t, 0);
}
/// Returns 0 where the condition is true, else t.
inline Tensor unmasked(const Tensor& condition, const Tensor& t) {
  return call_op<"aten.where.ScalarSelf">(condition, 0, t);
}
inline Tensor choose(const Tensor& mask, const Tensor& a, const Tensor& b) {
  return call_op<"aten.where.self">(mask, a, b);
}

inline Tensor sum(const Tensor& t, const Value& dims, bool keepdim) {
  return call_op<"aten.sum.dim_IntList">(t, dims, keepdim, Value());
}
inline Tensor cumsum(const Tensor& t, int64_t dim) { return call_op<"aten.cumsum.default">(t, dim, Value()); }
inline Tensor flip(const Tensor& t, int64_t dim) { return call_op<"aten.flip.default">(t, DimVec{dim}); }
inline Tensor cumsum_from_end(const Tensor& t, int64_t dim) { return flip(cumsum(flip(t, dim), dim), dim); }
inline Tensor unsqueeze(const Tensor& t, int64_t dim) { return call_op<"aten.unsqueeze.default">(t, dim); }
inline Tensor row(const Tensor& t) { return unsqueeze(t, -2); }
inline Tensor column(const Tensor& t) { return unsqueeze(t, -1); }
inline Tensor squeeze(const Tensor& t, int64_t dim) { return call_op<"aten.squeeze.dim">(t, dim); }
inline Tensor expand(const Tensor& t, std::span<const SymInt> sizes) {
  return call_op<"aten.expand.default">(t, sizes, false);
}
inline Tensor narrow(const Tensor& t, int64_t dim, SymInt start, SymInt length) {
  return call_op<"aten.slice.Tensor">(t, dim, start, start + length, 1);
}
inline Tensor cat(const Tensor& a, const Tensor& b, int64_t dim) {
  return call_op<"aten.cat.default">(Value::list(std::array{Value(a), Value(b)}), dim);
}
inline Tensor zeros(const Tensor& like, std::span<const SymInt> sizes, const Value& dtype = {}) {
  return call_op<"aten.new_zeros.default">(like, sizes, dtype, Value(), Value(), Value());
}
inline Tensor zeros_like(const Tensor& t, const Value& format = {}) {
  return call_op<"aten.zeros_like.default">(t, Value(), Value(), Value(), Value(), format);
}
inline Tensor ones_like(const Tensor& t) {
  return call_op<"aten.ones_like.default">(t, Value(), Value(), Value(), Value(), Value());
}
inline Tensor cast(const Tensor& t, DType dtype) {
  return t.dtype() == dtype ? t : call_op<"aten._to_copy.default">(t, dtype, Value(), Value(), Value(), false, Value());
}
inline Tensor reshape(const Tensor& t, std::span<const SymInt> sizes) {
  return call_op<"aten.reshape.default">(t, sizes);
}

// Functions on matrices, which are the last two dims.
inline SymInt size(const Tensor& t, int64_t dim) { return t.sizes()[static_cast<size_t>(wrap(dim, t.dim()))]; }
inline Tensor mT(const Tensor& t) { return call_op<"aten.transpose.int">(t, -2, -1); }
inline Tensor mH(const Tensor& t) { return conj(mT(t)); }
inline Tensor matmul(const Tensor& a, const Tensor& b) { return call_op<"aten.matmul.default">(a, b); }
inline Tensor tril(const Tensor& t, int64_t diagonal = 0) { return call_op<"aten.tril.default">(t, diagonal); }
inline Tensor triu(const Tensor& t, int64_t diagonal = 0) { return call_op<"aten.triu.default">(t, diagonal); }
inline Tensor diagonal(const Tensor& t) { return call_op<"aten.diagonal.default">(t, 0, -2, -1); }
inline Tensor diag_embed(const Tensor& t) { return call_op<"aten.diag_embed.default">(t, 0, -2, -1); }
inline Tensor solve(const Tensor& a, const Tensor& b, bool left = true) {
  return call_op<"aten.linalg_solve.default">(a, b, left);
}
inline Tensor solve_triangular(const Tensor& a, const Tensor& b, bool upper, bool left, bool unitriangular = false) {
  return call_op<"aten.linalg_solve_triangular.default">(a, b, upper, left, unitriangular);
}
inline Tensor lu_solve(const Tensor& lu, const Tensor& pivots, const Tensor& b, bool left, bool adjoint) {
  return call_op<"aten.linalg_lu_solve.default">(lu, pivots, b, left, adjoint);
}

inline Value pair(const Tensor& a, const Tensor& b) { return Value::list(std::array{Value(a), Value(b)}); }

}  // namespace ersatz::gradient_math
