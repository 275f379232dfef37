#include "tools/output/finding_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace ersatz::tools {

FindingSides sides_of(const Finding& f) {
  const std::string seen_by(f.witness == Witness::Device ? "cpu" : name(f.witness));
  if (is_of_memory(f.field) || f.witness == Witness::Declaration)
    return {"", {"expected", f.predicted}, {"found", f.observed}};
  // For values, `predicted` has the form `2 of 8 elements differ by up to 1, the first at [3]: 0.5`.
  const size_t value = f.field == FindingField::Value ? f.predicted.rfind("]: ") : f.predicted.npos;
  if (value != f.predicted.npos)
    return {f.predicted.substr(0, value + 1), {"computed", f.predicted.substr(value + 3)}, {seen_by, f.observed}};
  return {"", {"predicted", f.predicted}, {seen_by, f.observed}};
}

Document finding_lines(std::string_view head, const FindingSides& sides, Document::Kind kind) {
  Document out;
  out.add(kind, fmt::format("{}{}{}", head, sides.more.empty() ? "" : ": ", sides.more));
  const size_t width = std::max(sides.left.who.size(), sides.right.who.size()) + 1;
  for (const FindingSide* side : {&sides.left, &sides.right}) {
    if (side->who.empty()) continue;
    if (kind == Document::Kind::Top) {
      out.add_term(side->who, side->says, width);
    } else {
      out.add(Document::Kind::Code, fmt::format("{:<{}} {}", side->who + ":", width, side->says));
    }
  }
  return out;
}

}  // namespace ersatz::tools
