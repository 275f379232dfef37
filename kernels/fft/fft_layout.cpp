#include "kernels/fft/fft_layout.h"

#include <algorithm>
#include <numeric>

#include "kernels/shape/dim_set.h"
#include "runtime/layout.h"

namespace ersatz {
namespace {

/// Larger strides first. Symbolic ones are compared by their hints.
void sort_by_stride(std::span<int64_t> dims, const TensorMeta& t) {
  std::sort(dims.begin(), dims.end(), [&](int64_t a, int64_t b) {
    return guard_gt(t.strides[static_cast<size_t>(a)], t.strides[static_cast<size_t>(b)]);
  });
}

}  // namespace

InlineVec<int64_t, 5> dims_by_stride(const TensorMeta& input, std::span<const int64_t> dims, size_t keep) {
  InlineVec<int64_t, 5> sorted(dims);
  sort_by_stride({sorted.data(), sorted.size() - keep}, input);
  return sorted;
}

DimVec transformed_strides(const TensorMeta& input, std::span<const SymInt> out_sizes, std::span<const int64_t> dims) {
  DimSet transformed;
  for (int64_t d : dims) transformed.insert(d);
  InlineVec<int64_t, 5> order(out_sizes.size(), 0);
  std::iota(order.begin(), order.end(), int64_t(0));
  int64_t* const batch_end = std::partition(order.begin(), order.end(), [&](int64_t d) { return !transformed.has(d); });
  sort_by_stride({order.begin(), batch_end}, input);
  const size_t batches = static_cast<size_t>(batch_end - order.begin());
  // As [batch, transformed dims...], row-major.
  DimVec collapsed{SymInt(1)}, strides(out_sizes.size(), SymInt(0));
  for (size_t i = 0; i < batches; ++i) collapsed[0] *= out_sizes[static_cast<size_t>(order[i])];
  for (int64_t d : dims) collapsed.push_back(out_sizes[static_cast<size_t>(d)]);
  const DimVec steps = contiguous_strides(collapsed);
  SymInt batch = 1;
  for (size_t i = batches; i-- > 0;) {
    const size_t d = static_cast<size_t>(order[i]);
    strides[d] = batch * steps[0];
    batch *= out_sizes[d];
  }
  for (size_t i = 0; i < dims.size(); ++i) strides[static_cast<size_t>(dims[i])] = steps[i + 1];
  return strides;
}

}  // namespace ersatz
