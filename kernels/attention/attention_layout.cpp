#include "kernels/attention/attention_layout.h"

#include <algorithm>

#include "runtime/sym/sym_int.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

DimVec flash_attention_strides(const TensorMeta& query) {
  const auto& n = query.sizes;
  const auto& s = query.strides;
  const SymInt sizes[] = {n[0], n[2], n[1], n[3]}, strides[] = {s[0], s[2], s[1], s[3]};
  DimVec kept = preserved_strides(sizes, strides);
  std::swap(kept[1], kept[2]);
  return kept;
}

DimVec efficient_attention_strides(const TensorMeta& query, SymInt value_features) {
  const SymInt sizes[] = {query.sizes[0], query.sizes[2], query.sizes[1], value_features};
  DimVec dense = contiguous_strides(sizes);
  std::swap(dense[1], dense[2]);
  return dense;
}

DimVec cudnn_attention_strides(const TensorMeta& query, SymInt value_features) {
  if (size_eq(query.sizes[3], value_features)) return preserved_strides(query.sizes, query.strides);
  // Sorts the dims from the innermost to the outermost. Dims with stride 0 are last, and equal strides keep their
  // order.
  size_t order[] = {0, 1, 2, 3};
  const auto inner = [&](size_t a, size_t b) {
    const SymInt x = query.strides[a], y = query.strides[b];
    if (size_eq(x, 0)) return false;
    return size_eq(y, 0) || size_lt(x, y);
  };
  std::stable_sort(std::begin(order), std::end(order), inner);
  DimVec strides(query.strides);
  SymInt step = 1;
  for (size_t d : order) {
    strides[d] = step;
    step = step * (d == 3 ? value_features : query.sizes[d]);
  }
  return strides;
}

TensorMeta with_batch_of_one(const TensorMeta& t) {
  TensorMeta batched = t;
  batched.sizes.insert(0, SymInt(1));
  batched.strides.insert(0, t.sizes.empty() ? SymInt(1) : t.sizes[0] * t.strides[0]);
  return batched;
}

}  // namespace ersatz
