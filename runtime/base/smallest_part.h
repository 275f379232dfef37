// Delta debugging of lists (Zeller's ddmin): removes items as long as the remaining list still fails.
#pragma once

#include <algorithm>
#include <vector>

namespace ersatz {

/// Removes runs of `count` items, from the front, if `fails(rest)` is true for the items without the run. The last item
/// always stays, because the caller puts the failing item last. Returns whether any items were removed.
template <class T, class Fails>
bool leave_out(std::vector<T>& items, size_t count, Fails&& fails) {
  bool any = false;
  for (size_t begin = 0; begin + 1 < items.size();) {
    const size_t end = std::min(begin + count, items.size() - 1);
    std::vector<T> rest(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(begin));
    rest.insert(rest.end(), items.begin() + static_cast<std::ptrdiff_t>(end), items.end());
    if (fails(rest)) {
      items = std::move(rest);
      any = true;
    } else {
      begin = end;
    }
  }
  return any;
}

/// Removes shorter and shorter runs of items, until no single item can be removed. REQUIRES: fails(items).
template <class T, class Fails>
void take_smallest_part(std::vector<T>& items, Fails&& fails) {
  for (size_t count = std::max<size_t>(1, (items.size() - 1) / 2); items.size() > 1;) {
    const bool any = leave_out(items, count, fails);
    if (count == 1 && !any) return;
    count = std::max<size_t>(1, count / 2);
  }
}

}  // namespace ersatz
