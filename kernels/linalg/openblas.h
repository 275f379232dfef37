// OpenBLAS, loaded at first use, single-threaded: our own pool splits the work. lapack.h calls the LAPACK in it.
//
// Column-major throughout. The library is dlopen'ed once, on any thread. Where it is absent, products are made by loops
// (gemm_loops.h), which is said once; LAPACK is NotSupported. Sizes and leading dimensions are 32-bit ints (`fits`):
// callers split or avoid larger ones.
#pragma once

#include <complex>
#include <cstdint>

namespace ersatz::openblas {

/// C[m,n] = alpha * op(A)[m,k] * op(B)[k,n] + beta * C. `beta` 0 does not read C.
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
