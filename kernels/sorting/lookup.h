// Looking numbers up in sorted sequences: what the kernels of every device share.
#pragma once

#include "kernels/sorting/order.h"
#include "kernels/sorting/searchsorted.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_searchsorted {

/// How many elements of a sequence stand before `v`: those less than it (and those equal, to its right).
template <class C, class T>
ERSATZ_HD inline int64_t position(const T* sequence, const int64_t* sorter, int64_t n, C v, bool right) {
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

/// A value failure where a sorter on the host names a position outside sequences of n elements.
inline void require_positions(const KernelCall& call, std::span<const int64_t> sorter, int64_t n) {
  for (int64_t at : sorter) {
    if (at >= 0 && at < n) continue;
    fail_on_value(call, ErrorFamily::Runtime, "the sorter must hold positions in {} elements, it holds {}", n, at);
  }
}

}  // namespace ersatz::op_searchsorted
