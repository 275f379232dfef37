// OpenBLAS, which is loaded at first use and runs on one thread, because kernels split their work over ersatz's thread
// pool. lapack.h calls the LAPACK of OpenBLAS.
//
// Matrices are column-major. The library is opened once, on any thread. If the library is absent, products use
// gemm_loops.h after one warning, and LAPACK raises NotSupported. Sizes and leading dimensions are 32-bit ints. If
// sizes do not fit (`fits`), callers split the problem or do not call the library.
#pragma once

#include <complex>
#include <cstdint>

namespace ersatz::openblas {

/// Computes C[m,n] = alpha * op(A)[m,k] * op(B)[k,n] + beta * C. If `beta` is 0, C is not read.
/// REQUIRES: every size and leading dimension fits in an int; m, n, k > 0.
struct GemmShape {
  bool transpose_a, transpose_b;
  int64_t m, n, k;
  int64_t lda, ldb, ldc;
};
void gemm(const GemmShape& s, float alpha, const float* a, const float* b, float beta, float* c);
void gemm(const GemmShape& s, double alpha, const double* a, const double* b, double beta, double* c);
void gemm(const GemmShape& s, std::complex<float> alpha, const std::complex<float>* a, const std::complex<float>* b,
          std::complex<float> beta, std::complex<float>* c);
void gemm(const GemmShape& s, std::complex<double> alpha, const std::complex<double>* a, const std::complex<double>* b,
          std::complex<double> beta, std::complex<double>* c);

inline bool fits(int64_t v) { return v <= INT32_MAX; }

}  // namespace ersatz::openblas
