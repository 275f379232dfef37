#include "fake/crosscheck/meta_words.h"

#include "runtime/op/rule.h"

namespace ersatz {
namespace {

/// The first dim whose strides differ and matter; the first that differs at all where none does.
size_t first_difference(const TensorMeta& a, const TensorMeta& b) {
  size_t first = a.strides.size();
  for (size_t d = 0; d < a.strides.size(); ++d) {
    if (sym_eq(a.strides[d], b.strides[d])) continue;
    if (!a.sizes[d].same_word(1)) return d;
    first = std::min(first, d);
  }
  return first;
}

}  // namespace

std::string words_for(MetaField field, const TensorMeta& predicted, const TensorMeta& truth) {
  switch (field) {
    case MetaField::Size:
      return fmt::format("Shapes {} and {} are not equal!", predicted.sizes, truth.sizes);
    case MetaField::DType:
      return fmt::format("Dtypes {} and {} are not equal!", name(predicted.dtype), name(truth.dtype));
    case MetaField::Device:
      return fmt::format("Devices {} and {} are not equal!", to_string(predicted.device), to_string(truth.device));
    case MetaField::Stride:
      return fmt::format("Stride mismatch! Strides are {} and {} (mismatched at {})!", predicted.strides, truth.strides,
                         first_difference(predicted, truth));
    case MetaField::Offset:
      break;
  }
  return fmt::format("Storage offset mismatch! Storage offsets are {} and {}!", predicted.offset, truth.offset);
}

std::string_view name(Cosmetic c) {
  constexpr std::string_view names[] = {"significant", "size-1 only", "empty tensor"};
  return names[static_cast<int>(c)];
}

Cosmetic cosmetic_kind(const TensorMeta& truth) {
  for (const SymInt s : truth.sizes) {
    if (s.same_word(0)) return Cosmetic::EmptyTensor;
  }
  return Cosmetic::SizeOne;
}

FormatVerdict compare_formats(const TensorMeta& predicted, const TensorMeta& truth) {
  FormatVerdict v;
  const size_t rank = truth.sizes.size();
  if (rank < 4 || rank > 5 || predicted.is_symbolic() || truth.is_symbolic()) return v;
  v.predicted = suggest_memory_format(predicted);
  v.truth = suggest_memory_format(truth);
  v.ambiguous = v.differ() && same_metadata(predicted, truth).verdict != MetaVerdict::Significant;
  return v;
}

std::string why_ambiguous(const FormatVerdict& v, const TensorMeta& truth) {
  std::string dims;
  for (size_t d = 0; d < truth.sizes.size(); ++d) {
    if (truth.sizes[d].same_word(1) || truth.sizes[d].same_word(0)) {
      dims += fmt::format("{}{}", dims.empty() ? "" : ", ", d);
    }
  }
  return fmt::format("dims {} have at most one element: {} and {} hold the same elements in the same places", dims,
                     name(v.predicted), name(v.truth));
}

}  // namespace ersatz
