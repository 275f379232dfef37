// Binary search in sorted sequences, which the kernels of all devices share.
#pragma once

#include <string>

#include "kernels/sorting/order.h"
#include "kernels/sorting/searchsorted.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_searchsorted {

/// Returns the number of elements of a sequence that are less than `v`; with `right`, less than or equal to `v`. If
/// `sorter` is not null, it has the indices of the sequence's elements in ascending order.
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

/// Does the call search for the position after equal elements?
inline bool looks_right(const KernelCall& call) {
  return call.boolean(kSearchsorted["right"]) ||
         (call.has(kSearchsorted["side"]) && call[kSearchsorted["side"]].as_string() == "right");
}

inline std::string sorter_words(int64_t at, int64_t n) {
  return fmt::format("the sorter must hold positions in {} elements, it holds {}", n, at);
}
/// Raises an error with `value_failure` if an element of `sorter`, on the host, is no index into sequences of n
/// elements.
inline void require_positions(const KernelCall& call, std::span<const int64_t> sorter, int64_t n) {
  for (int64_t at : sorter) {
    if (at >= 0 && at < n) continue;
    fail_on_value(call, ErrorFamily::Runtime, "{}", sorter_words(at, n));
  }
}

}  // namespace ersatz::op_searchsorted
