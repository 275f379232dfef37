// Matrix products by plain loops, for machines without OpenBLAS, at a tenth of its speed.
#pragma once

#include "kernels/linalg/openblas.h"

namespace ersatz {

/// Computes what openblas::gemm computes. Sums run over k in order. T: float, double, or their complex numbers.
template <class T>
void gemm_loops(const openblas::GemmShape& s, T alpha, const T* a, const T* b, T beta, T* c);

}  // namespace ersatz
