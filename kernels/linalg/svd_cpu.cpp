#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "kernels/dense_operand.h"
#include "kernels/linalg/column_major.h"
#include "kernels/linalg/lapack.h"
#include "kernels/linalg/svd.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_svd {

Kernel run_cpu;

namespace {

/// Writes identity matrices to `t`, which is the full U or Vh of matrices without elements.
void write_identity(const Tensor& t) {
  if (t.numel().as_int() == 0) return;
  const int64_t n = t.sizes().back().as_int();
  const Tensor eye = make_real_tensor(TensorMeta(DType::Bool, t.sizes()));
  for (int64_t i = 0; i < t.numel().as_int(); ++i) eye.data<bool>()[i] = i / n % n == i % n;
  copy_elements(t, eye);
}

/// True if an element is infinite. LAPACK may then never return. For NaN elements, LAPACK returns NaN.
template <class T>
bool has_infinity(const T* a, int64_t count) {
  return std::any_of(a, a + count, [](const T& x) { return std::isinf(std::real(x)) || std::isinf(std::imag(x)); });
}
template <class T>
void fill_nan(T* to, int64_t count) {
  std::fill_n(to, count, T(std::numeric_limits<Real_t<T>>::quiet_NaN()));
}

template <class T>
int decompose(char job, int64_t m, int64_t n, T* a, Real_t<T>* s, T* u, T* vh, int64_t rows_of_vh) {
  std::vector<int32_t> integers(static_cast<size_t>(8 * std::min(m, n)));
  return with_workspace<T>([&](T* work, int64_t length) {
    if constexpr (kIsComplex<T>) {
      const int64_t k = std::min(m, n), most = std::max(m, n);
      const int64_t room = job == 'N' ? 7 * k : std::max(5 * k * k + 5 * k, 2 * most * k + 2 * k * k + k);
      std::vector<Real_t<T>> reals(static_cast<size_t>(room));
      return lapack<"gesdd", T>(job, m, n, a, m, s, u, m, vh, rows_of_vh, work, length, reals.data(), integers.data());
    } else {
      return lapack<"gesdd", T>(job, m, n, a, m, s, u, m, vh, rows_of_vh, work, length, integers.data());
    }
  });
}

}  // namespace

void run_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kSvd["A"]);
  const Tensor &out_u = call.outputs[0], &out_s = call.outputs[1], &out_vh = call.outputs[2];
  const bool full = call.boolean(kSvd["full_matrices"]), vectors = call.boolean(kSvd["compute_uv"]);
  const size_t rank = self.sizes().size();
  const int64_t m = self.sizes()[rank - 2].as_int(), n = self.sizes()[rank - 1].as_int(), k = std::min(m, n);
  if (self.numel().as_int() == 0) {
    if (vectors) write_identity(out_u), write_identity(out_vh);
    return;
  }
  const auto room = [&](const Tensor& t) {
    return vectors ? column_major_room(t) : make_real_tensor(TensorMeta(t.dtype(), DimVec{SymInt(1)}));
  };
  const Tensor a = column_major_copy(self), u = room(out_u), vh = room(out_vh);
  DenseOutput values(out_s);
  const Tensor& s = values.tensor;
  const int64_t columns_of_u = full ? m : k, rows_of_vh = vectors ? (full ? n : k) : 1;
  dispatch_dtype<kLapackDTypes>(self.dtype(), [&]<class T>() {
    const char job = !vectors ? 'N' : full ? 'A' : 'S';
    for (int64_t i = 0; i < self.numel().as_int() / (m * n); ++i) {
      T* const matrix = a.data<T>() + i * m * n;
      Real_t<T>* const to_s = s.data<Real_t<T>>() + i * k;
      T* const to_u = u.data<T>() + (vectors ? i * m * columns_of_u : 0);
      T* const to_vh = vh.data<T>() + (vectors ? i * rows_of_vh * n : 0);
      if (has_infinity(matrix, m * n)) {
        fill_nan(to_s, k);
        if (vectors) fill_nan(to_u, m * columns_of_u), fill_nan(to_vh, rows_of_vh * n);
        continue;
      }
      const int info = decompose<T>(job, m, n, matrix, to_s, to_u, to_vh, rows_of_vh);
      if (info != 0)
        fail_on_value(call, ErrorFamily::Runtime,
                      "the singular values of matrix {} do not converge, or it is not finite (info {})", i, info);
    }
  });
  values.finish();
  if (vectors) give(out_u, u), give(out_vh, vh);
}

}  // namespace ersatz::op_svd
