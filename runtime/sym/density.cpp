#include "runtime/sym/density.h"

#include <algorithm>

#include "runtime/base/inline_vec.h"

namespace ersatz {

bool is_contiguous(std::span<const SymInt> sizes, std::span<const SymInt> strides) {
  SymInt expected = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    if (!sym_eq(strides[d], expected) && !size_eq(sizes[d], 1) && !detail::equal(strides[d], expected))
      return detail::any_zero(sizes);
    if (d > 0) expected *= detail::stride_factor(sizes[d]);
  }
  return true;
}

bool is_non_overlapping_and_dense(std::span<const SymInt> sizes, std::span<const SymInt> strides) {
  if (is_contiguous(sizes, strides)) return true;
  // The dims of size 2 and more, sorted by stride. Two dims with equal strides overlap, so their order does not matter.
  InlineVec<uint32_t, 8> order;
  for (uint32_t d = 0; d < sizes.size(); ++d)
    if (size_ge(sizes[d], 2)) order.push_back(d);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return size_lt(strides[a], strides[b]); });
  SymInt expected = 1;
  for (uint32_t d : order) {
    if (!detail::equal(strides[d], expected)) return false;
    expected *= sizes[d];
  }
  return true;
}

}  // namespace ersatz
