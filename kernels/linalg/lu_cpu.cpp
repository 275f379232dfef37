#include <cmath>

#include "kernels/dense_operand.h"
#include "kernels/linalg/column_major.h"
#include "kernels/linalg/lapack.h"
#include "kernels/linalg/lu.h"
#include "kernels/linalg/openblas.h"
#include "kernels/shape/broadcast.h"
#include "kernels/shape/squeeze.h"
#include "kernels/shape/transpose.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/kernel.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_lu {
namespace {

struct Factors {
  Tensor lu, pivots, info;  // all are dense, and lu is column-major
  bool transposed;          // true: these are the factors of A^T instead of A
};

/// Factors `a`. If `either` is true and `a` is real and row-major, factors the transpose of `a`, like at::_linalg_det.
Factors factors_of(const KernelCall& call, const Tensor& a, bool either) {
  const bool transposed = either && a.is_contiguous() && !kComplexes.has(a.dtype());
  DimVec sizes = leading_sizes(a.sizes(), 1);
  const int64_t m = a.sizes()[sizes.size() - 1].as_int(), n = a.sizes().back().as_int(), k = std::min(m, n);
  const DimVec batch = leading_sizes(sizes, 1);
  sizes.back() = k;
  if (!openblas::fits(std::max(m, n)))
    fail_on_value(call, ErrorFamily::Runtime, "{} x {} matrices are too large", m, n);
  Factors f{column_major_copy(transposed ? ops::transpose(a, -2, -1) : a),
            make_real_tensor(TensorMeta(DType::I32, sizes)), make_real_tensor(TensorMeta(DType::I32, batch)),
            transposed};
  const int64_t matrices = f.info.numel().as_int();
  if (matrices > 0) std::fill_n(f.info.data<int32_t>(), matrices, 0);
  if (k == 0 || matrices == 0) return f;
  dispatch_dtype<kLapackDTypes>(a.dtype(), [&]<class T>() {
    for (int64_t i = 0; i < matrices; ++i) {
      f.info.data<int32_t>()[i] =
          lapack<"getrf", T>(m, n, f.lu.data<T>() + i * m * n, m, f.pivots.data<int32_t>() + i * k);
    }
  });
  return f;
}

void check(const KernelCall& call, const Tensor& info) {
  for (int64_t i = 0; i < info.numel().as_int(); ++i) {
    const int32_t code = info.data<int32_t>()[i];
    if (code != 0) fail_on_value(call, ErrorFamily::Runtime, "matrix {} is singular: U[{}, {}] is zero", i, code, code);
  }
}

/// Calls visit(i, d, swapped) for each diagonal element d of U, for each matrix i. `swapped` is true if the pivot
/// exchanges two different rows, which changes the sign of the determinant.
template <class T, class Visit>
void along_diagonals(const Factors& f, Visit visit) {
  const int64_t n = f.lu.sizes().back().as_int();
  for (int64_t i = 0; n > 0 && i < f.info.numel().as_int(); ++i) {
    for (int64_t d = 0; d < n; ++d) {
      visit(i, f.lu.data<T>()[(i * n + d) * n + d], f.pivots.data<int32_t>()[i * n + d] != d + 1);
    }
  }
}

/// Solves A X = B, where `x` contains B and becomes X. `transpose` N uses A, T uses A^T and C uses A^H.
void solve_in_place(const Factors& f, char transpose, const Tensor& x) {
  const size_t rank = x.sizes().size();
  if (x.numel().as_int() == 0) return;
  const int64_t n = x.sizes()[rank - 2].as_int(), k = x.sizes()[rank - 1].as_int();
  DimVec wide = leading_sizes(x.sizes(), 1);
  const Tensor pivots = make_real_tensor(TensorMeta(DType::I32, wide));
  wide.push_back(n);
  copy_elements(pivots, broadcast_view(f.pivots, pivots.sizes()));
  const Tensor lu = same_sizes(f.lu.sizes(), wide) ? f.lu : column_major_copy(broadcast_view(f.lu, wide));
  dispatch_dtype<kLapackDTypes>(x.dtype(), [&]<class T>() {
    for (int64_t i = 0; i < x.numel().as_int() / (n * k); ++i) {
      lapack<"getrs", T>(transpose, n, k, lu.data<T>() + i * n * n, n, pivots.data<int32_t>() + i * n,
                         x.data<T>() + i * n * k, n);
    }
  });
}

}  // namespace

void run_factor_cpu(KernelCall& call) {
  const Factors f = factors_of(call, call.tensor(kLuFactorEx["A"]), false);
  give(call.outputs[0], f.lu), give(call.outputs[1], f.pivots), give(call.outputs[2], f.info);
  if (call.boolean(kLuFactorEx["check_errors"])) check(call, f.info);
}

void run_det_cpu(KernelCall& call) {
  const Factors f = factors_of(call, call.tensor(kDet["A"]), true);
  const Tensor det = make_real_tensor(TensorMeta(call.outputs[0].dtype(), leading_sizes(f.info.sizes(), 0)));
  dispatch_dtype<kFloatsAndComplexes>(det.dtype(), [&]<class T>() {
    if (f.info.numel().as_int() == 0) return;
    std::fill_n(det.data<T>(), f.info.numel().as_int(), T(1));
    if constexpr (kLapackDTypes.has(dtype_of<T>)) {
      along_diagonals<T>(f, [&](int64_t i, T u, bool exchanged) { det.data<T>()[i] *= exchanged ? -u : u; });
    }
  });
  give(call.outputs[0], det), give(call.outputs[1], f.lu), give(call.outputs[2], f.pivots);
}

void run_slogdet_cpu(KernelCall& call) {
  const Factors f = factors_of(call, call.tensor(kSlogdet["A"]), true);
  const DimVec batch = leading_sizes(f.info.sizes(), 0);
  const Tensor sign = make_real_tensor(TensorMeta(call.outputs[0].dtype(), batch));
  const Tensor logabs = make_real_tensor(TensorMeta(call.outputs[1].dtype(), batch));
  dispatch_dtype<kLapackDTypes>(sign.dtype(), [&]<class T>() {
    using Real = decltype(std::abs(T()));
    if (f.info.numel().as_int() == 0) return;
    std::fill_n(sign.data<T>(), f.info.numel().as_int(), T(1));
    std::fill_n(logabs.data<Real>(), f.info.numel().as_int(), Real(0));
    along_diagonals<T>(f, [&](int64_t i, T u, bool exchanged) {
      const Real size = std::abs(u);
      sign.data<T>()[i] *= (size == Real(0) ? T(0) : u / size) * (exchanged ? T(-1) : T(1));
      logabs.data<Real>()[i] += std::log(size);
    });
  });
  give(call.outputs[0], sign), give(call.outputs[1], logabs), give(call.outputs[2], f.lu);
  give(call.outputs[3], f.pivots);
}

void run_solve_cpu(KernelCall& call) {
  const Factors f = factors_of(call, call.tensor(kSolveEx["A"]), false);
  const bool left = call.boolean(kSolveEx["left"]);
  const Tensor &b = call.tensor(kSolveEx["B"]), &out = call.outputs[0];
  const bool vectors = b.dim() == 1 || (f.lu.dim() - 1 == b.dim() && same_sizes(b.sizes(), f.pivots.sizes()));
  const auto as_columns = [&](const Tensor& t) {
    return vectors ? ops::unsqueeze(t, -1) : left ? t : ops::transpose(t, -2, -1);
  };
  const Tensor wanted = as_columns(out);
  const Tensor x = column_major_copy(broadcast_view(as_columns(b), wanted.sizes()));
  solve_in_place(f, left ? 'N' : 'T', x);
  give(wanted, x);
  give(call.outputs[1], f.lu), give(call.outputs[2], f.pivots), give(call.outputs[3], f.info);
  if (call.boolean(kSolveEx["check_errors"])) check(call, f.info);
}

void run_inverse_cpu(KernelCall& call) {
  const Tensor a = call.tensor(kInvEx["A"]);
  const Factors f = factors_of(call, a, true);
  const Tensor x = make_real_tensor(column_major_meta(a.dtype(), leading_sizes(a.sizes(), 0), Device()));
  const int64_t n = a.sizes().back().as_int();
  if (x.numel().as_int() > 0) {
    dispatch_dtype<kLapackDTypes>(a.dtype(), [&]<class T>() {
      std::fill_n(x.data<T>(), x.numel().as_int(), T(0));
      for (int64_t i = 0; i < x.numel().as_int(); i += n) x.data<T>()[i + i / n % n] = T(1);
    });
  }
  solve_in_place(f, f.transposed ? 'T' : 'N', x);
  give(call.outputs[0], x), give(call.outputs[1], f.info);
  if (call.boolean(kInvEx["check_errors"])) check(call, f.info);
}

// X A = B is solved as A^T X^T = B^T. If `adjoint` is true, X A^H = B is solved as A conj(X^T) = conj(B^T).
void run_lu_solve_cpu(KernelCall& call) {
  const bool left = call.boolean(kLuSolve["left"]), adjoint = call.boolean(kLuSolve["adjoint"]);
  const Tensor lu = call.tensor(kLuSolve["LU"]), pivots = dense_input(call.tensor(kLuSolve["pivots"]));
  const int64_t n = lu.sizes().back().as_int();
  for (int64_t i = 0; i < pivots.numel().as_int(); ++i) {
    const int32_t row = pivots.data<int32_t>()[i];
    if (row < 1 || row > n) fail_on_value(call, ErrorFamily::Runtime, "pivot {} is none of the rows 1 to {}", row, n);
  }
  const Tensor out = left ? call.outputs[0] : ops::transpose(call.outputs[0], -2, -1);
  Tensor b = call.tensor(kLuSolve["B"]);
  if (!left) b = ops::transpose(b, -2, -1);
  const bool conjugate = !left && adjoint;
  const auto as_is = [&](const Tensor& t) { return conjugate ? call_op<"aten.conj_physical.default">(t) : t; };
  const Tensor x = column_major_copy(as_is(broadcast_view(b, out.sizes())));
  solve_in_place({column_major_copy(lu), pivots, Tensor(), false},
                 left      ? (adjoint ? 'C' : 'N')
                 : adjoint ? 'N'
                           : 'T',
                 x);
  give(out, as_is(x));
}

}  // namespace ersatz::op_lu
