#include "tools/validate/call_change.h"

#include <algorithm>

#include "runtime/tensor/layout.h"

namespace ersatz::tools {

namespace {

/// Sets the strides for changed sizes. Stride order, gaps and expanded dims of `before` are kept.
void keep_order(TensorMeta& meta, const TensorMeta& before) {
  const std::vector<size_t> order = dims_outermost_first(before);
  int64_t next = 1;
  bool first = true;
  for (size_t i = order.size(); i-- > 0;) {
    const size_t d = order[i];
    if (before.strides[d].as_int() == 0) {
      meta.strides[d] = 0;
      continue;
    }
    if (first) next = before.strides[d].as_int() > 1 ? 2 : 1;
    first = false;
    meta.strides[d] = next;
    next *= std::max<int64_t>(meta.sizes[d].as_int(), 1);
  }
}

void remove_dim(TensorMeta& meta, size_t dim) {
  DimVec sizes, strides;
  for (size_t i = 0; i < meta.sizes.size(); ++i) {
    if (i == dim) continue;
    sizes.push_back(meta.sizes[i]);
    strides.push_back(meta.strides[i]);
  }
  meta.sizes = sizes;
  meta.strides = strides;
}

}  // namespace

std::optional<CallSpec> with_size(const CallSpec& spec, int64_t from, int64_t to, NewStrides strides,
                                  const Chosen& chosen) {
  return with_metas(spec, [&](size_t k, TensorMeta& meta) {
    if (!chosen(k)) return false;
    const TensorMeta before = meta;
    bool changed = false;
    for (SymInt& s : meta.sizes) {
      if (s.as_int() != from) continue;
      s = to;
      changed = true;
    }
    if (!changed) return false;
    if (strides == NewStrides::RowMajor) {
      meta.strides = contiguous_strides(meta.sizes);
    } else {
      keep_order(meta, before);
    }
    return true;
  });
}

std::optional<CallSpec> without_dim(const CallSpec& spec, size_t dim, bool from_end, const Chosen& chosen) {
  return with_metas(spec, [&](size_t k, TensorMeta& meta) {
    const size_t rank = meta.sizes.size();
    if (!chosen(k) || dim >= rank) return false;
    remove_dim(meta, from_end ? rank - 1 - dim : dim);
    keep_order(meta, TensorMeta(meta));
    return true;
  });
}

std::optional<CallSpec> with_dtype(const CallSpec& spec, std::optional<DType> from, DType to, const Chosen& chosen) {
  return with_metas(spec, [&](size_t k, TensorMeta& meta) {
    if ((from && meta.dtype != *from) || !chosen(k) || meta.dtype == to) return false;
    meta.dtype = to;
    return true;
  });
}

std::optional<CallSpec> with_layout(const CallSpec& spec, const std::function<SampleLayout(size_t k)>& layout_of) {
  const std::vector<size_t> positions = spec.positions();
  const std::vector<bool> shares = shares_storage(spec);
  const auto& written = spec.op->written;
  return with_metas(spec, [&](size_t k, TensorMeta& meta) {
    const SampleLayout layout = layout_of(k);
    const bool is_written = std::find(written.begin(), written.end(), positions[k]) != written.end();
    return !shares[k] && lay_out(meta, layout, is_written);
  });
}

std::optional<CallSpec> row_major(const CallSpec& spec, const Chosen& chosen) {
  return with_metas(spec, [&](size_t k, TensorMeta& meta) {
    if (!chosen(k)) return false;
    const DimVec plain = contiguous_strides(meta.sizes);
    if (sym_eq(meta.strides, plain) && meta.offset.as_int() == 0) return false;
    meta.strides = plain;
    meta.offset = 0;
    return true;
  });
}

std::vector<int64_t> sizes_of(const CallSpec& spec) {
  std::vector<int64_t> sizes;
  for (const Tensor& t : spec.tensors()) {
    for (const SymInt& s : t.sizes()) {
      if (std::find(sizes.begin(), sizes.end(), s.as_int()) == sizes.end()) sizes.push_back(s.as_int());
    }
  }
  return sizes;
}

}  // namespace ersatz::tools
