#include "fake/crosscheck/meta_words.h"

#include "runtime/op/rule.h"

namespace ersatz {
namespace {

/// Returns the first dim whose strides differ and whose size is not 1; if there is none, the first dim whose strides
/// differ.
size_t first_difference(const TensorMeta& a, const TensorMeta& b) {
  size_t first = a.strides.size();
  for (size_t d = 0; d < a.strides.size(); ++d) {
    if (sym_eq(a.strides[d], b.strides[d])) continue;
    if (!a.sizes[d].is_identical(1)) return d;
    first = std::min(first, d);
  }
  return first;
}

}  // namespace

std::string words_for(MetaField field, const TensorMeta& predicted, const TensorMeta& truth) {
  const std::string mine = field_text(predicted, field), theirs = field_text(truth, field);
  switch (field) {
    case MetaField::Size:
      return fmt::format("Shapes {} and {} are not equal!", mine, theirs);
    case MetaField::DType:
      return fmt::format("Dtypes {} and {} are not equal!", mine, theirs);
    case MetaField::Device:
      return fmt::format("Devices {} and {} are not equal!", mine, theirs);
    case MetaField::Stride:
      return fmt::format("Stride mismatch! Strides are {} and {} (mismatched at {})!", mine, theirs,
                         first_difference(predicted, truth));
    case MetaField::Offset:
      return fmt::format("Storage offset mismatch! Storage offsets are {} and {}!", mine, theirs);
    case MetaField::Conj:
      return fmt::format("Conj mismatch! is_conj is set to {} and {}", mine, theirs);
    case MetaField::Neg:
      return fmt::format("Neg mismatch! is_neg is set to {} and {}", mine, theirs);
    case MetaField::RequiresGrad:
      break;
  }
  return fmt::format(
      "mismatched requires_grad-ness of outputs: {} and {}: this usually means that autograd was added at the wrong "
      "level: below the mode, or in the kernel",
      mine, theirs);
}

std::string_view name(Cosmetic c) {
  constexpr std::string_view names[] = {"significant", "size-1 only", "empty tensor"};
  return names[static_cast<int>(c)];
}

Cosmetic cosmetic_kind(const TensorMeta& truth) {
  for (const SymInt s : truth.sizes) {
    if (s.is_identical(0)) return Cosmetic::EmptyTensor;
  }
  return Cosmetic::SizeOne;
}

FormatVerdict compare_formats(const TensorMeta& predicted, const TensorMeta& truth) {
  FormatVerdict v;
  const size_t rank = truth.sizes.size();
  if (rank < 4 || rank > 5 || predicted.is_symbolic() || truth.is_symbolic()) return v;
  v.predicted = suggest_memory_format(predicted);
  v.truth = suggest_memory_format(truth);
  v.ambiguous = v.differ() && !diff(predicted, truth).is_significant();
  return v;
}

std::string why_ambiguous(const FormatVerdict& v, const TensorMeta& truth) {
  std::string dims;
  for (size_t d = 0; d < truth.sizes.size(); ++d) {
    if (truth.sizes[d].is_identical(1) || truth.sizes[d].is_identical(0)) {
      dims += fmt::format("{}{}", dims.empty() ? "" : ", ", d);
    }
  }
  return fmt::format("dims {} have at most one element: {} and {} hold the same elements in the same places", dims,
                     name(v.predicted), name(v.truth));
}

}  // namespace ersatz
