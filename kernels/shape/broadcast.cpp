#include "kernels/shape/broadcast.h"

namespace ersatz {

bool broadcasts_to(std::span<const SymInt> from, std::span<const SymInt> to) {
  if (from.size() > to.size()) return false;
  const size_t added = to.size() - from.size();
  for (size_t d = 0; d < from.size(); ++d) {
    const SymInt size = from[d];
    if (!stretches_to(size, to[added + d])) return false;
  }
  return true;
}

Tensor broadcast_view(const Tensor& t, std::span<const SymInt> sizes) {
  if (sym_eq(t.sizes(), sizes)) return t;
  TensorMeta meta = t.meta();
  const size_t added = sizes.size() - meta.sizes.size();
  DimVec strides(sizes.size(), SymInt(0));
  for (size_t d = added; d < sizes.size(); ++d) {
    if (sym_eq(meta.sizes[d - added], sizes[d])) strides[d] = meta.strides[d - added];
  }
  meta.sizes = DimVec(sizes);
  meta.strides = std::move(strides);
  return make_view(t, std::move(meta));
}

}  // namespace ersatz
