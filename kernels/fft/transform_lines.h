// Fourier transforms of complex lines of n points. The functions factor n into radices and compute twiddle factors.
// They transform several lines side by side, or split each line in two.
//
// Twiddle factors are computed in f64 and rounded. The radices 2, 3, 4, 5 and 8 have dedicated code. For any other
// radix r, each element is a sum of r terms, which loses digits. A caller that needs full f32 precision therefore
// computes in f64 if `has_sums(n)`.
#pragma once

#include <complex>
#include <vector>

#include "kernels/sorting/rows_along.h"

namespace ersatz {

/// Returns exp(-2 pi i k / n) for 0 <= k < n. If two roots are conjugates or quarter turns of each other, the returned
/// numbers are so too, without rounding errors.
std::vector<std::complex<double>> unit_roots(int64_t n);
/// True if a transform of n points has a radix without dedicated code, which is computed as a long sum.
bool has_sums(int64_t n);

/// Transforms the lines that `rows` describes, from `from` to `to`, forward or inverse, and multiplies them by
/// `factor`. `from` and `to` are one memory with one layout, or do not overlap. REQUIRES: n > 0.
void transform_lines(const std::complex<float>* from, std::complex<float>* to, const RowsAlong<2>& rows, bool forward,
                     float factor);
void transform_lines(const std::complex<double>* from, std::complex<double>* to, const RowsAlong<2>& rows, bool forward,
                     double factor);

}  // namespace ersatz
