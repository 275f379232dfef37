#include "runtime/tensor/meta_diff.h"

#include <fmt/format.h>

#include <algorithm>

namespace ersatz {
namespace {

/// Adds Stride to what differs in `d`. REQUIRES: equal sizes.
template <class Equal>
void compare_strides(const TensorMeta& a, const TensorMeta& b, const Equal& equal, MetaDiff& d) {
  bool empty = false;
  for (const SymInt s : a.sizes) empty |= equal(s, 0);
  for (size_t i = 0; i < a.sizes.size(); ++i) {
    if (equal(a.strides[i], b.strides[i])) continue;
    if (!empty && !equal(a.sizes[i], 1)) {
      d.significant.add(MetaField::Stride);
      d.cosmetic = {};
      return;
    }
    d.cosmetic.add(MetaField::Stride);
  }
}

template <class Equal>
MetaDiff compare_fields(const TensorMeta& a, const TensorMeta& b, MetaFields fields, const Equal& equal) {
  MetaDiff d;
  const auto compare = [&](MetaField f, bool same) {
    if (!same && fields.has(f)) d.significant.add(f);
  };
  const bool same_sizes = std::equal(a.sizes.begin(), a.sizes.end(), b.sizes.begin(), b.sizes.end(), equal);
  compare(MetaField::DType, a.dtype == b.dtype);
  compare(MetaField::Size, same_sizes);
  if (same_sizes && fields.has(MetaField::Stride)) compare_strides(a, b, equal, d);
  if (same_sizes && fields.has(MetaField::Offset)) compare(MetaField::Offset, equal(a.offset, b.offset));
  compare(MetaField::Device, a.device == b.device);
  compare(MetaField::Conj, a.conj == b.conj);
  compare(MetaField::Neg, a.neg == b.neg);
  compare(MetaField::RequiresGrad, a.requires_grad == b.requires_grad);
  return d;
}

}  // namespace

std::string_view name(MetaField f) {
  constexpr std::string_view names[] = {"dtype", "size", "stride", "offset", "device", "conj", "neg", "requires_grad"};
  static_assert(std::size(names) == kMetaFieldCount);
  return names[static_cast<int>(f)];
}

MetaDiff diff(const TensorMeta& a, const TensorMeta& b, MetaFields fields) {
  return compare_fields(a, b, fields, [](SymInt x, SymInt y) { return sym_eq(x, y); });
}

MetaDiff diff(const TensorMeta& a, const TensorMeta& b, MetaFields fields,
              const std::function<bool(SymInt, SymInt)>& equal) {
  return compare_fields(a, b, fields, equal);
}

std::string field_text(const TensorMeta& m, MetaField field) {
  switch (field) {
    case MetaField::DType:
      return std::string(name(m.dtype));
    case MetaField::Size:
      return fmt::format("[{}]", fmt::join(m.sizes, ", "));
    case MetaField::Stride:
      return fmt::format("[{}]", fmt::join(m.strides, ", "));
    case MetaField::Offset:
      return fmt::format("{}", m.offset);
    case MetaField::Device:
      return to_string(m.device);
    case MetaField::Conj:
      return fmt::format("{}", m.conj);
    case MetaField::Neg:
      return fmt::format("{}", m.neg);
    case MetaField::RequiresGrad:
      break;
  }
  return fmt::format("{}", m.requires_grad);
}

}  // namespace ersatz
