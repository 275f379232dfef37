#include "kernels/linalg/gemm_loops.h"

#include <algorithm>
#include <memory>

namespace ersatz {

template <class T>
void gemm_loops(const openblas::GemmShape& s, T alpha, const T* a, const T* b, T beta, T* c) {
  constexpr int64_t kRows = 64;  // rows of C in progress, so few that their sums stay in registers and in the L1 cache
  const std::unique_ptr<T[]> panel(new T[static_cast<size_t>(kRows * s.k)]);
  for (int64_t i0 = 0; i0 < s.m; i0 += kRows) {
    const int64_t rows = std::min(kRows, s.m - i0);
    for (int64_t p = 0; p < s.k; ++p) {
      for (int64_t i = 0; i < kRows; ++i) {
        const int64_t row = i0 + std::min(i, rows - 1);
        panel[p * kRows + i] = s.transpose_a ? a[p + row * s.lda] : a[row + p * s.lda];
      }
    }
    for (int64_t j = 0; j < s.n; ++j) {
      T sums[kRows] = {};
      for (int64_t p = 0; p < s.k; ++p) {
        const T right = s.transpose_b ? b[j + p * s.ldb] : b[p + j * s.ldb];
        const T* const left = &panel[p * kRows];
        for (int64_t i = 0; i < kRows; ++i) sums[i] += left[i] * right;
      }
      T* const out = c + i0 + j * s.ldc;
      for (int64_t i = 0; i < rows; ++i) out[i] = beta == T(0) ? alpha * sums[i] : alpha * sums[i] + beta * out[i];
    }
  }
}

template void gemm_loops(const openblas::GemmShape&, float, const float*, const float*, float, float*);
template void gemm_loops(const openblas::GemmShape&, double, const double*, const double*, double, double*);
template void gemm_loops(const openblas::GemmShape&, std::complex<float>, const std::complex<float>*,
                         const std::complex<float>*, std::complex<float>, std::complex<float>*);
template void gemm_loops(const openblas::GemmShape&, std::complex<double>, const std::complex<double>*,
                         const std::complex<double>*, std::complex<double>, std::complex<double>*);

}  // namespace ersatz
