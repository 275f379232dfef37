#include "runtime/tensor/symbolic_layout.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "runtime/sym/density.h"

namespace ersatz {

DimVec strides_over(std::span<const SymInt> sizes, const TensorMeta& recorded) {
  std::vector<size_t> order(sizes.size());
  std::iota(order.rbegin(), order.rend(), size_t(0));
  if (all_int(recorded.strides)) {
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return recorded.strides[a].as_int() < recorded.strides[b].as_int(); });
  }
  DimVec strides = recorded.strides;
  SymInt before = 1, now = 1;
  for (const size_t k : order) {
    if (sym_eq(recorded.strides[k], before)) {
      strides[k] = now;
    } else {
      before = now = recorded.strides[k];
    }
    before = before * detail::stride_factor(recorded.sizes[k]);
    now = now * detail::stride_factor(sizes[k]);
  }
  return strides;
}

}  // namespace ersatz
