#include "kernels/linalg/column_major.h"
#include "kernels/linalg/lapack.h"
#include "kernels/linalg/ldl.h"
#include "kernels/linalg/openblas.h"
#include "kernels/shape/broadcast.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_ldl {
namespace {

/// Factors one n by n matrix in place and zeroes its strict upper triangle. Returns LAPACK's info.
template <class T>
int factorise(T* a, int32_t* pivots, int64_t n, bool hermitian) {
  const int info = with_workspace<T>([&](T* work, int64_t length) {
    if constexpr (kIsComplex<T>) {
      if (hermitian) return lapack<"hetrf", T>('L', n, a, n, pivots, work, length);
    }
    return lapack<"sytrf", T>('L', n, a, n, pivots, work, length);
  });
  for (int64_t column = 1; column < n; ++column) std::fill_n(a + column * n, column, T(0));
  return info;
}

/// True if LAPACK can use these pivots: each is a row number from 1 to n, or one of two equal adjacent negative
/// numbers.
bool name_rows(const int32_t* pivots, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const bool pair = pivots[i] < 0;
    if (pivots[i] == 0 || std::abs(int64_t{pivots[i]}) > n) return false;
    if (pair && (i + 1 == n || pivots[i + 1] != pivots[i])) return false;
    if (pair) ++i;
  }
  return true;
}

}  // namespace

void run_factor_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kLdlFactorEx["self"]);
  const int64_t n = self.sizes().back().as_int(), matrices = call.outputs[2].numel().as_int();
  const Tensor ld = column_major_copy(self);
  const Tensor pivots = make_real_tensor(TensorMeta(DType::I32, leading_sizes(self.sizes(), 1)));
  const Tensor info = make_real_tensor(TensorMeta(DType::I32, leading_sizes(self.sizes(), 2)));
  if (matrices == 0) return;
  std::fill_n(info.data<int32_t>(), matrices, 0);
  if (n > 0) {
    if (!openblas::fits(n)) fail_on_value(call, ErrorFamily::Runtime, "matrices of order {} are too large", n);
    dispatch_dtype<kLapackDTypes>(self.dtype(), [&]<class T>() {
      for (int64_t i = 0; i < matrices; ++i) {
        info.data<int32_t>()[i] = factorise(ld.data<T>() + i * n * n, pivots.data<int32_t>() + i * n, n,
                                            call.boolean(kLdlFactorEx["hermitian"]));
      }
    });
  }
  give(call.outputs[0], ld), give(call.outputs[1], pivots), give(call.outputs[2], info);
  if (!call.boolean(kLdlFactorEx["check_errors"])) return;
  for (int64_t i = 0; i < matrices; ++i) {
    const int32_t code = info.data<int32_t>()[i];
    if (code != 0) fail_on_value(call, ErrorFamily::Runtime, "matrix {} is singular: D[{}, {}] is zero", i, code, code);
  }
}

void run_solve_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const int64_t n = out.sizes()[static_cast<size_t>(out.dim() - 2)].as_int(), k = out.sizes().back().as_int();
  const Tensor x = column_major_copy(broadcast_view(call.tensor(kLdlSolve["B"]), out.sizes()));
  DimVec rows = leading_sizes(out.sizes(), 1);
  const Tensor pivots = make_real_tensor(TensorMeta(DType::I32, rows));
  copy_elements(pivots, broadcast_view(call.tensor(kLdlSolve["pivots"]), rows));
  rows.push_back(n);
  const Tensor ld = column_major_copy(broadcast_view(call.tensor(kLdlSolve["LD"]), rows));
  for (int64_t i = 0; i < out.numel().as_int() / (n * k); ++i) {
    if (name_rows(pivots.data<int32_t>() + i * n, n)) continue;
    fail_on_value(call, ErrorFamily::Runtime, "the pivots of matrix {} do not name its rows, 1 to {}", i, n);
  }
  dispatch_dtype<kLapackDTypes>(x.dtype(), [&]<class T>() {
    for (int64_t i = 0; i < out.numel().as_int() / (n * k); ++i) {
      const T* factors = ld.data<T>() + i * n * n;
      const int32_t* exchanged = pivots.data<int32_t>() + i * n;
      T* solution = x.data<T>() + i * n * k;
      if constexpr (kIsComplex<T>) {
        if (call.boolean(kLdlSolve["hermitian"])) {
          lapack<"hetrs", T>('L', n, k, factors, n, exchanged, solution, n);
          continue;
        }
      }
      lapack<"sytrs", T>('L', n, k, factors, n, exchanged, solution, n);
    }
  });
  copy_elements(out, x);
}

}  // namespace ersatz::op_ldl
