#include "fake/crosscheck/finding.h"

namespace ersatz {

std::string_view name(Witness w) {
  constexpr std::string_view names[] = {"none", "eager", "kernel", "record", "device", "declaration"};
  static_assert(std::size(names) == static_cast<size_t>(Witness::Declaration) + 1);
  return names[static_cast<int>(w)];
}

std::optional<Witness> parse_witness(std::string_view text) {
  for (int w = 0; w <= static_cast<int>(Witness::Declaration); ++w) {
    if (name(static_cast<Witness>(w)) == text) return static_cast<Witness>(w);
  }
  return std::nullopt;
}

std::string_view name(FindingField f) {
  constexpr std::string_view names[] = {"dtype",         "size",     "stride", "offset",    "device",
                                        "alias",         "mutation", "error",  "unwritten", "undeclared_write",
                                        "out_of_bounds", "value",    "conj",   "neg",       "requires_grad",
                                        "dynamic_size"};
  static_assert(std::size(names) == kFindingFieldCount);
  return names[static_cast<int>(f)];
}

std::optional<FindingField> parse_finding_field(std::string_view text) {
  for (int f = 0; f < kFindingFieldCount; ++f) {
    if (name(static_cast<FindingField>(f)) == text) return static_cast<FindingField>(f);
  }
  return std::nullopt;
}

FindingField field_of(MetaField f) {
  constexpr FindingField fields[] = {FindingField::DType,  FindingField::Size,        FindingField::Stride,
                                     FindingField::Offset, FindingField::Device,      FindingField::Conj,
                                     FindingField::Neg,    FindingField::RequiresGrad};
  static_assert(std::size(fields) == kMetaFieldCount);
  return fields[static_cast<int>(f)];
}

bool is_of_memory(FindingField f) {
  return f == FindingField::Unwritten || f == FindingField::OutOfBounds || f == FindingField::UndeclaredWrite;
}

std::string head_of(const Finding& f) {
  std::string text = f.node.empty() ? f.op : fmt::format("{} = {}", f.node, f.op);
  if (f.result >= 0) text += fmt::format(", result {}", f.result);
  return text + fmt::format(": {}", name(f.field));
}

std::string to_string(const Finding& f) {
  std::string text = fmt::format("{}: predicted {}, {} says {}", head_of(f), f.predicted, name(f.witness), f.observed);
  if (!f.source.empty()) text += fmt::format(" ({})", f.source);
  return text;
}

std::string mismatch_text(const Finding& f, bool several_outputs) {
  const std::string where = several_outputs && f.result >= 0 ? fmt::format(" for output[{}]", f.result) : std::string();
  std::string what;
  if (f.words.empty()) {
    what = fmt::format("a mismatch{}: {}", where, to_string(f));
  } else if (f.field == FindingField::Offset) {
    what = fmt::format("mismatched storage offset{}: {}", where, f.words);
  } else if (f.field == FindingField::RequiresGrad || f.field == FindingField::Alias || f.result < 0 ||
             f.words.starts_with("mismatched")) {
    what = f.words + where;
  } else {
    what = fmt::format("mismatched tensor metadata{}: {}", where, f.words);
  }
  std::string text =
      fmt::format("When comparing the output of {} on FakeTensor and concrete Tensors, found {}", f.op, what);
  if (!f.source.empty()) text += fmt::format(" ({})", f.source);
  return text;
}

}  // namespace ersatz
