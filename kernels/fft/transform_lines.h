// Complex lines of n points, transformed: n as a product of radices, their twiddle factors, and whether lines are
// transformed side by side or each is split in two.
//
// Twiddle factors are computed in f64 and rounded. A radix without code of its own sums as many terms as it has:
// `has_sums` says so, and who keeps to f32's digits then computes in f64.
#pragma once

#include <complex>
#include <vector>

#include "kernels/sorting/rows_along.h"

namespace ersatz {

/// exp(-2 pi i k / n) for 0 <= k < n; conjugates and quarter turns are exactly so.
std::vector<std::complex<double>> unit_roots(int64_t n);
/// Whether a transform of n points has a radix without code of its own.
bool has_sums(int64_t n);

/// The lines of `from` and `to` that `rows` names, forward or inverse, times `factor`. The two may be the same in the
/// same layout, and share nothing otherwise. REQUIRES: lines have a point at least.
void transform_lines(const std::complex<float>* from, std::complex<float>* to, const RowsAlong<2>& rows, bool forward,
                     float factor);
void transform_lines(const std::complex<double>* from, std::complex<double>* to, const RowsAlong<2>& rows, bool forward,
                     double factor);

}  // namespace ersatz
