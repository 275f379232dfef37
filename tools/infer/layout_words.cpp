#include "tools/infer/layout_words.h"

#include <fmt/format.h>

#include "runtime/tensor/layout.h"

namespace ersatz::tools {

bool is_row_major(const TensorMeta& t) { return sym_eq(t.strides, contiguous_strides(t.sizes)) || is_contiguous(t); }

bool lies_in_order(const TensorMeta& t, const std::vector<size_t>& order) {
  if (order.size() != t.sizes.size()) return false;
  int64_t before = -1;
  for (const size_t d : order) {
    if (t.sizes[d].as_int() == 1) continue;
    const int64_t stride = t.strides[d].as_int();
    if (before >= 0 && stride > before) return false;
    before = stride;
  }
  return true;
}

bool is_ordered_like(const TensorMeta& t, const TensorMeta& argument) {
  return t.dim() == argument.dim() && !is_row_major(t) && !is_row_major(argument) &&
         lies_in_order(t, dims_outermost_first(argument));
}

bool has_expanded_dim(const TensorMeta& t) {
  for (size_t d = 0; d < t.sizes.size(); ++d) {
    if (t.sizes[d].as_int() > 1 && t.strides[d].as_int() == 0) return true;
  }
  return false;
}

std::string gap_of(const TensorMeta& t) {
  const std::vector<size_t> order = dims_outermost_first(t);
  int64_t dense = 1, inner = 1;
  for (size_t i = order.size(); i-- > 0;) {
    const size_t d = order[i];
    const int64_t size = t.sizes[d].as_int(), stride = t.strides[d].as_int();
    if (size == 1) continue;
    if (stride > dense) {
      return inner == 1 ? fmt::format("its elements lie {} apart", stride)
                        : fmt::format("its rows of {} elements lie {} apart", inner, stride);
    }
    if (stride < dense) return {};
    dense = inner = size * stride;
  }
  return {};
}

std::vector<int64_t> without_ones(const TensorMeta& t) {
  std::vector<int64_t> dims;
  for (const SymInt& s : t.sizes) {
    if (s.as_int() != 1) dims.push_back(s.as_int());
  }
  return dims;
}

}  // namespace ersatz::tools
