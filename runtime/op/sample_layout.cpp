#include "runtime/op/sample_layout.h"

#include <numeric>
#include <vector>

#include "runtime/tensor/layout.h"

namespace ersatz {

namespace {

void take_every_second(TensorMeta& meta, int64_t last_of_row, int64_t first) {
  DimVec parent = meta.sizes;
  parent.back() = parent.back() * 2 + last_of_row;
  meta.strides = contiguous_strides(parent);
  meta.strides.back() = 2;
  meta.offset += first;
}

void expand(TensorMeta& meta) {
  for (size_t d = 0; d < meta.sizes.size(); ++d) {
    if (!guard_gt(meta.sizes[d], 1)) continue;
    meta.strides[d] = 0;
    return;
  }
}

}  // namespace

std::string_view name(SampleLayout layout) {
  constexpr std::string_view names[] = {"as_written", "permuted",      "sliced",   "gapped",    "spread",     "offset",
                                        "expanded",   "channels_last", "size_one", "size_zero", "other_sizes"};
  return names[static_cast<size_t>(layout)];
}

bool lay_out(TensorMeta& meta, SampleLayout layout, bool is_written) {
  const TensorMeta before = meta;
  const bool is_scalar = meta.dim() == 0;
  switch (layout) {
    case SampleLayout::Permuted: {
      std::vector<size_t> order(meta.sizes.size());
      std::iota(order.rbegin(), order.rend(), 0);
      meta.strides = strides_in_order(meta.sizes, order);
      break;
    }
    case SampleLayout::Sliced:
      if (!is_scalar) take_every_second(meta, 1, 1);
      break;
    case SampleLayout::Gapped:
      if (!is_scalar) take_every_second(meta, 0, 0);
      break;
    case SampleLayout::Spread:
      meta.strides = contiguous_strides(meta.sizes);
      for (SymInt& stride : meta.strides) stride *= 2;
      meta.offset = 1;
      break;
    case SampleLayout::Offset:
      meta.strides = contiguous_strides(meta.sizes);
      meta.offset = 3;
      break;
    case SampleLayout::Expanded:
      if (!is_written) expand(meta);
      break;
    case SampleLayout::ChannelsLast:
      if (meta.dim() == 4 || meta.dim() == 5) meta.strides = channels_last_strides(meta.sizes);
      break;
    case SampleLayout::AsWritten:
    case SampleLayout::SizeOne:
    case SampleLayout::SizeZero:
    case SampleLayout::OtherSizes:
      break;
  }
  return !(meta == before);
}

DimVec strides_in_order(std::span<const SymInt> sizes, std::span<const size_t> order) {
  DimVec strides(sizes.size());
  SymInt next = 1;
  for (size_t k = order.size(); k-- > 0;) {
    strides[order[k]] = next;
    next *= sym_max(sizes[order[k]], 1);
  }
  return strides;
}

}  // namespace ersatz
