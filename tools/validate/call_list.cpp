#include "tools/validate/call_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/tensor/layout.h"

namespace ersatz::tools {

namespace {

void make_row_major(TensorMeta& meta) { meta.strides = contiguous_strides(meta.sizes); }

std::vector<bool> written_tensors(const CallSpec& spec) {
  std::vector<bool> written;
  for (size_t position : spec.positions()) {
    const auto& w = spec.op->written;
    written.push_back(std::find(w.begin(), w.end(), position) != w.end());
  }
  return written;
}

/// Tensors of shared storages stay as they are: the sample means that sharing.
std::optional<CallSpec> laid_out(const CallSpec& spec, CallLayout layout) {
  const std::vector<bool> written = written_tensors(spec), shares = shares_storage(spec);
  return with_metas(spec, [&](size_t k, TensorMeta& meta) { return !shares[k] && lay_out(meta, layout, written[k]); });
}

/// Every dim of size `from` has size `to`; `shares`: those tensors stay.
std::optional<CallSpec> resized(const CallSpec& spec, int64_t from, int64_t to) {
  const std::vector<bool> shares = shares_storage(spec);
  return with_metas(spec, [&](size_t k, TensorMeta& meta) {
    bool changed = false;
    for (SymInt& s : meta.sizes) {
      if (shares[k] || s.as_int() != from || from == to) continue;
      s = to;
      changed = true;
    }
    if (changed) make_row_major(meta);
    return changed;
  });
}

/// The sizes that occur, in order.
std::vector<int64_t> sizes_of(const CallSpec& spec) {
  std::vector<int64_t> sizes;
  for (const Tensor& t : spec.tensors()) {
    for (const SymInt& s : t.sizes()) {
      if (std::find(sizes.begin(), sizes.end(), s.as_int()) == sizes.end()) sizes.push_back(s.as_int());
    }
  }
  return sizes;
}

/// The dtype that the sample is about: of its first tensor that holds no positions.
std::optional<DType> main_dtype(const CallSpec& spec) {
  const std::vector<Tensor> tensors = spec.tensors();
  const std::vector<size_t> positions = spec.positions();
  for (size_t k = 0; k < tensors.size(); ++k) {
    const auto& domains = spec.op->index_domains;
    const bool is_index =
        std::any_of(domains.begin(), domains.end(), [&](const IndexDomain& d) { return d.argument == positions[k]; });
    if (!is_index) return tensors[k].dtype();
  }
  return std::nullopt;
}

/// Tensors of dtype `from`, the first `spared` of them left out, have dtype `to`.
std::optional<CallSpec> cast(const CallSpec& spec, DType from, DType to, int spared = 0) {
  return with_metas(spec, [&](size_t, TensorMeta& meta) {
    if (meta.dtype != from || spared-- > 0 || from == to) return false;
    meta.dtype = to;
    return true;
  });
}

}  // namespace

std::string_view name(CallLayout layout) {
  constexpr std::string_view names[] = {"as_written",    "permuted",  "gapped",   "offset",     "expanded",
                                        "channels_last", "size_zero", "size_one", "other_sizes"};
  return names[static_cast<size_t>(layout)];
}

CallLayout layout_named(const std::string& text) {
  std::string known;
  for (CallLayout l : kCallLayouts) {
    if (name(l) == text) return l;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name(l));
  }
  if (text == "contiguous") return CallLayout::AsWritten;
  fail_argument("--layout {}: there are {}", text, known);
}

bool lay_out(TensorMeta& meta, CallLayout layout, bool written) {
  const TensorMeta before = meta;
  switch (layout) {
    case CallLayout::Permuted: {
      SymInt next = 1;
      for (size_t d = 0; d < meta.sizes.size(); ++d) {
        meta.strides[d] = next;
        next *= sym_max(meta.sizes[d], 1);
      }
      break;
    }
    case CallLayout::Gapped: {
      if (meta.dim() == 0) return false;
      DimVec parent = meta.sizes;
      parent.back() = parent.back() * 2;
      meta.strides = contiguous_strides(parent);
      meta.strides.back() = 2;
      break;
    }
    case CallLayout::Offset:
      make_row_major(meta);
      meta.offset = 3;
      break;
    case CallLayout::Expanded:
      for (size_t d = 0; d < meta.sizes.size() && !written; ++d) {
        if (!guard_gt(meta.sizes[d], 1)) continue;
        meta.strides[d] = 0;
        break;
      }
      break;
    case CallLayout::ChannelsLast:
      if (meta.dim() == 4 || meta.dim() == 5) meta.strides = channels_last_strides(meta.sizes);
      break;
    default:
      return false;
  }
  return !(meta == before);
}

CallList::CallList(const OpEntry& op, const CallListOptions& options, DeviceType device) : options_(options) {
  fills_ = options.fills.empty() ? std::vector<FillKind>(std::begin(kFillKinds), std::end(kFillKinds)) : options.fills;
  const std::vector<Sample>& samples = samples_of(op);
  for (size_t s = 0; s < samples.size(); ++s) {
    CallSpec base;
    try {
      base = spec_of(op, samples[s]);
    } catch (const Error& e) {
      gaps_.push_back(e.message);
      continue;
    }
    base.seed = options.seed;
    const std::optional<DType> main = main_dtype(base);
    const auto wanted = [&](DType t) {
      if (!options.dtypes.empty())
        return std::find(options.dtypes.begin(), options.dtypes.end(), t) != options.dtypes.end();
      const DTypeSet declared = op.dtypes_on(device);
      return declared == DTypeSet() || declared.has(t) || t == main;
    };
    if (!main) {
      if (options.dtypes.empty()) add_layouts(base, s, "no tensors", true);
      continue;
    }
    if (wanted(*main)) add_layouts(base, s, std::string(name(*main)), true);
    for (int t = 0; t < kCommonDTypeCount; ++t) {
      const auto dtype = static_cast<DType>(t);
      if (!wanted(dtype)) continue;
      if (auto spec = cast(base, *main, dtype)) add_layouts(*spec, s, std::string(name(dtype)), false);
    }
    if (!options.mixed || !options.dtypes.empty()) continue;
    for (DType other : {DType::F64, DType::F16, DType::I64, DType::Bool}) {
      if (auto spec = cast(base, *main, other, 1)) add_layouts(*spec, s, fmt::format("mixed {}", name(other)), false);
    }
  }
}

void CallList::add_layouts(const CallSpec& base, size_t sample, const std::string& dtype, bool own_dtypes) {
  const auto wanted = [&](CallLayout l) {
    return options_.layouts.empty() ||
           std::find(options_.layouts.begin(), options_.layouts.end(), l) != options_.layouts.end();
  };
  for (CallLayout l : kCallLayouts) {
    if (!wanted(l)) continue;
    if (l == CallLayout::AsWritten) {
      add(base, sample, l, dtype);
    } else if (l == CallLayout::SizeZero || l == CallLayout::SizeOne) {
      for (int64_t from : sizes_of(base)) add(resized(base, from, l == CallLayout::SizeOne), sample, l, dtype);
    } else if (l == CallLayout::OtherSizes) {
      for (int64_t from : own_dtypes ? sizes_of(base) : std::vector<int64_t>()) {
        for (int64_t to : {2, 3, 4, 5, 7, 8, 9, 16, 17}) add(resized(base, from, to), sample, l, dtype);
      }
    } else {
      add(laid_out(base, l), sample, l, dtype);
    }
  }
}

void CallList::add(std::optional<CallSpec> spec, size_t sample, CallLayout layout, const std::string& dtype) {
  if (!spec) return;
  try {
    renew_outs(*spec);
  } catch (const Error&) {
    return;  // the functional op refuses these arguments: it is tried with them itself
  }
  specs_.push_back({std::move(*spec), sample, layout, dtype});
}

CallSpec CallList::at(int64_t i) const {
  const auto n = static_cast<size_t>(i);
  CallSpec spec = specs_[n / fills_.size()].spec;
  spec.fill = fills_[n % fills_.size()];
  return spec;
}

std::string CallList::origin(int64_t i) const {
  const auto n = static_cast<size_t>(i);
  const Variant& v = specs_[n / fills_.size()];
  return fmt::format("sample {}, {}, {}, {}", v.sample, name(v.layout), v.dtype, name(fills_[n % fills_.size()]));
}

}  // namespace ersatz::tools
