// Looking numbers up in sorted sequences: what the kernels of every device share.
#pragma once

#include <string>

#include "kernels/sorting/order.h"
#include "kernels/sorting/searchsorted.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_searchsorted {

/// How many elements of a sequence stand before `v`: those less than it (and those equal, to its right).
/// `sorter`, where it is not null, has the order of the sequence at [0], [1], ...
template <class C, class T, class Sorter>
ERSATZ_HD inline int64_t position(const T* sequence, Sorter sorter, int64_t n, C v, bool right) {
  int64_t low = 0, high = n;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    const C x = C(sequence[sorter ? sorter[middle] : middle]);
    const bool behind = right ? x > v : x >= v;
    (behind ? high : low) = behind ? middle : middle + 1;
  }
  return low;
}

/// Does the call want the position to the right of equal elements?
inline bool looks_right(const KernelCall& call) {
  return call.boolean(kSearchsorted["right"]) ||
         (call.has(kSearchsorted["side"]) && call[kSearchsorted["side"]].as_string() == "right");
}

inline std::string sorter_words(int64_t at, int64_t n) {
  return fmt::format("the sorter must hold positions in {} elements, it holds {}", n, at);
}
/// A value failure where a sorter on the host names a position outside sequences of n elements.
inline void require_positions(const KernelCall& call, std::span<const int64_t> sorter, int64_t n) {
  for (int64_t at : sorter) {
    if (at >= 0 && at < n) continue;
    fail_on_value(call, ErrorFamily::Runtime, "{}", sorter_words(at, n));
  }
}

}  // namespace ersatz::op_searchsorted
