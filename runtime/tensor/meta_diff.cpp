#include "runtime/tensor/meta_diff.h"

#include <fmt/format.h>

#include <algorithm>

namespace ersatz {
namespace {

/// Adds `f` to `significant` if `same` is false, and to `undecided` if `same` is empty.
void add(MetaDiff& d, MetaField f, std::optional<bool> same) {
  if (!same) {
    d.undecided.add(f);
  } else if (!*same) {
    d.significant.add(f);
  }
}

/// Returns whether the lists are equal; nullopt if `equal` cannot decide some items and finds no difference in the
/// others.
template <class Equal>
std::optional<bool> all_equal(const DimVec& a, const DimVec& b, const Equal& equal) {
  if (a.size() != b.size()) return false;
  bool decided = true;
  for (size_t i = 0; i < a.size(); ++i) {
    const std::optional<bool> same = equal(a[i], b[i]);
    if (!same) {
      decided = false;
    } else if (!*same) {
      return false;
    }
  }
  return decided ? std::optional(true) : std::nullopt;
}

/// Adds Stride to the significant, cosmetic or undecided fields of `d` if strides differ or may differ. REQUIRES: no
/// sizes differ.
template <class Equal>
void compare_strides(const TensorMeta& a, const TensorMeta& b, const Equal& equal, MetaDiff& d) {
  const auto is = [&](size_t i, int64_t n) {
    return equal(a.sizes[i], n).value_or(false) || equal(b.sizes[i], n).value_or(false);
  };
  bool looked = false, empty = false, undecided = false;
  for (size_t i = 0; i < a.sizes.size(); ++i) {
    const std::optional<bool> same = equal(a.strides[i], b.strides[i]);
    if (same.value_or(false)) continue;
    for (size_t k = 0; !looked && k < a.sizes.size(); ++k) empty |= is(k, 0);
    looked = true;
    const bool matters = !empty && !is(i, 1);
    if (!same) {
      undecided |= matters;
    } else if (matters) {
      d.significant.add(MetaField::Stride);
      d.cosmetic = {};
      return;
    } else {
      d.cosmetic.add(MetaField::Stride);
    }
  }
  if (undecided) d.undecided.add(MetaField::Stride);
}

template <class Equal>
MetaDiff compare_fields(const TensorMeta& a, const TensorMeta& b, MetaFields fields, const Equal& equal) {
  MetaDiff d;
  const auto compare = [&](MetaField f, std::optional<bool> same) {
    if (fields.has(f)) add(d, f, same);
  };
  const std::optional<bool> sizes = all_equal(a.sizes, b.sizes, equal);
  const bool same_sizes = sizes.value_or(true);
  compare(MetaField::DType, a.dtype == b.dtype);
  compare(MetaField::Size, sizes);
  if (same_sizes && fields.has(MetaField::Stride)) compare_strides(a, b, equal, d);
  if (same_sizes && fields.has(MetaField::Offset)) add(d, MetaField::Offset, equal(a.offset, b.offset));
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
  return compare_fields(a, b, fields, [](SymInt x, SymInt y) { return std::optional(sym_eq(x, y)); });
}

MetaDiff diff(const TensorMeta& a, const TensorMeta& b, MetaFields fields, const SizeEquality& equal) {
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
