// Bins of equal widths, for CPU and CUDA kernels.
#pragma once

#include "kernels/compute_type.h"

namespace ersatz::op_histogram {

/// Rounds a number to type E. PyTorch rounds half dtypes after each step of this computation.
template <class E>
ERSATZ_HD Compute_t<E> rounded(Compute_t<E> v) {
  return static_cast<Compute_t<E>>(E(v));
}

/// Returns the bin of x among `bins` equal bins from `low` to `high`; -1 if x is outside. The last bin includes its
/// upper edge.
template <class E>
ERSATZ_HD int64_t even_bin(Compute_t<E> x, Compute_t<E> low, Compute_t<E> high, int64_t bins) {
  using C = Compute_t<E>;
  if (!(x >= low && x <= high)) return -1;
  if constexpr (std::is_integral_v<E>) {
    const auto bin =
        static_cast<int64_t>((uint64_t(x) - uint64_t(low)) * uint64_t(bins) / (uint64_t(high) - uint64_t(low)));
    return bin < bins ? bin : bins - 1;
  } else {
    const C scaled = rounded<E>(rounded<E>(x - low) * rounded<E>(static_cast<C>(bins)));
    const auto bin = static_cast<int64_t>(rounded<E>(scaled / rounded<E>(high - low)));
    return bin < bins ? bin : bins - 1;
  }
}

}  // namespace ersatz::op_histogram
