#include "tools/validate/call_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tools/validate/call_change.h"

namespace ersatz::tools {

namespace {

/// Replaces size `from` by `to`. A tensor that shares its storage with another is unchanged, because the sample needs
/// the sharing.
std::optional<CallSpec> resized(const CallSpec& spec, int64_t from, int64_t to) {
  if (from == to) return std::nullopt;
  const std::vector<bool> shares = shares_storage(spec);
  return with_size(spec, from, to, NewStrides::RowMajor, [&](size_t k) { return !shares[k]; });
}

/// Returns the main dtype of the sample: the dtype of its first tensor that does not hold indices.
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

}  // namespace

SampleLayout layout_named(const std::string& text) {
  std::string known;
  for (SampleLayout l : kCallLayouts) {
    if (name(l) == text) return l;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name(l));
  }
  if (text == "contiguous") return SampleLayout::AsWritten;
  fail_argument("--layout {}: there are {}", text, known);
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
      if (auto spec = with_dtype(base, *main, dtype)) add_layouts(*spec, s, std::string(name(dtype)), false);
    }
    if (!options.mixed || !options.dtypes.empty()) continue;
    for (DType other : {DType::F64, DType::F16, DType::I64, DType::Bool}) {
      bool first = true;  // the first tensor keeps its dtype
      const auto others = [&](size_t) { return !std::exchange(first, false); };
      if (auto spec = with_dtype(base, *main, other, others))
        add_layouts(*spec, s, fmt::format("mixed {}", name(other)), false);
    }
  }
}

void CallList::add_layouts(const CallSpec& base, size_t sample, const std::string& dtype, bool own_dtypes) {
  const auto wanted = [&](SampleLayout l) {
    return options_.layouts.empty() ||
           std::find(options_.layouts.begin(), options_.layouts.end(), l) != options_.layouts.end();
  };
  for (SampleLayout l : kCallLayouts) {
    if (!wanted(l)) continue;
    if (l == SampleLayout::AsWritten) {
      add(base, sample, l, dtype);
    } else if (l == SampleLayout::SizeZero || l == SampleLayout::SizeOne) {
      for (int64_t from : sizes_of(base)) add(resized(base, from, l == SampleLayout::SizeOne), sample, l, dtype);
    } else if (l == SampleLayout::OtherSizes) {
      for (int64_t from : own_dtypes ? sizes_of(base) : std::vector<int64_t>()) {
        for (int64_t to : {2, 3, 4, 5, 7, 8, 9, 16, 17}) add(resized(base, from, to), sample, l, dtype);
      }
    } else {
      add(with_layout(base, [&](size_t) { return l; }), sample, l, dtype);
    }
  }
}

void CallList::add(std::optional<CallSpec> spec, size_t sample, SampleLayout layout, const std::string& dtype) {
  if (!spec) return;
  try {
    renew_outs(*spec);
  } catch (const Error&) {
    return;  // the functional op refuses these arguments; its own list of calls tests that
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
