#include "fake/finding.h"

namespace ersatz {

std::string_view name(Witness w) {
  constexpr std::string_view names[] = {"none", "eager", "kernel", "record", "device", "declaration"};
  return names[static_cast<int>(w)];
}

std::string_view name(FindingField f) {
  constexpr std::string_view names[] = {"dtype",    "size",  "stride",    "offset",           "device",        "alias",
                                        "mutation", "error", "unwritten", "undeclared_write", "out_of_bounds", "value"};
  return names[static_cast<int>(f)];
}

FindingField field_of(MetaField f) {
  constexpr FindingField fields[] = {FindingField::DType, FindingField::Size, FindingField::Stride,
                                     FindingField::Offset, FindingField::Device};
  return fields[static_cast<int>(f)];
}

std::string to_string(const Finding& f) {
  std::string text = f.node.empty() ? f.op : fmt::format("{} = {}", f.node, f.op);
  if (f.result >= 0) text += fmt::format(", result {}", f.result);
  text += fmt::format(": {}: predicted {}, {} says {}", name(f.field), f.predicted, name(f.witness), f.observed);
  if (!f.source.empty()) text += fmt::format(" ({})", f.source);
  return text;
}

}  // namespace ersatz
