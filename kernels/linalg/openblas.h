// OpenBLAS, loaded at first use and run single-threaded: kernels split the work over our thread pool. lapack.h calls
// the library's LAPACK.
//
// Matrices are column-major. The library is opened once, on any thread. Without it, products use gemm_loops.h, with one
// warning, and LAPACK raises NotSupported. Sizes and leading dimensions are 32-bit ints (`fits`): callers split larger
// problems or avoid the library.
#pragma once

#include <complex>
#include <cstdint>

namespace ersatz::openblas {

/// C[m,n] = alpha * op(A)[m,k] * op(B)[k,n] + beta * C. If `beta` is 0, C is not read.
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
