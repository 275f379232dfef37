// Matrix products by plain loops, for machines without OpenBLAS. The loops have a tenth of OpenBLAS's speed.
#pragma once

#include "kernels/linalg/openblas.h"

namespace ersatz {

/// Computes the product that openblas::gemm computes for these arguments. Sums run over k in order. REQUIRES: T is
/// float, double, or std::complex of float or double.
template <class T>
void gemm_loops(const openblas::GemmShape& s, T alpha, const T* a, const T* b, T beta, T* c);

}  // namespace ersatz
