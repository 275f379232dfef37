// Fourier transforms of complex lines of n points: the radices of n, their twiddle factors, and the choice between
// transforming lines side by side and splitting each in two.
//
// Twiddle factors are computed in f64 and rounded. A radix without code of its own sums as many terms as its size,
// which loses digits: if `has_sums(n)`, a caller that needs full f32 precision computes in f64.
#pragma once

#include <complex>
#include <vector>

#include "kernels/sorting/rows_along.h"

namespace ersatz {

/// exp(-2 pi i k / n) for 0 <= k < n. Conjugates, and quarter turns of each other, are exact.
std::vector<std::complex<double>> unit_roots(int64_t n);
/// Has a transform of n points a radix without code of its own?
bool has_sums(int64_t n);

/// Transforms the lines that `rows` names, from `from` to `to`, forward or inverse, times `factor`. `from` and `to` are
/// one memory with one layout, or do not overlap. REQUIRES: n > 0.
void transform_lines(const std::complex<float>* from, std::complex<float>* to, const RowsAlong<2>& rows, bool forward,
                     float factor);
void transform_lines(const std::complex<double>* from, std::complex<double>* to, const RowsAlong<2>& rows, bool forward,
                     double factor);

}  // namespace ersatz
