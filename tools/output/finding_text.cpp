#include "tools/output/finding_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace ersatz::tools {

FindingSides sides_of(FindingField field, std::string_view predicted, std::string_view witness,
                      std::string_view observed) {
  const std::string seen_by(witness == name(Witness::Device) ? "cpu" : witness), seen(observed);
  if (is_of_memory(field) || witness == name(Witness::Declaration))
    return {"", {"expected", std::string(predicted)}, {"found", seen}};
  // `2 of 8 elements differ by up to 1, the first at [3]: 0.5`
  const size_t value = field == FindingField::Value ? predicted.rfind("]: ") : predicted.npos;
  if (value != predicted.npos) {
    return {std::string(predicted.substr(0, value + 1)),
            {"computed", std::string(predicted.substr(value + 3))},
            {seen_by, seen}};
  }
  return {"", {"predicted", std::string(predicted)}, {seen_by, seen}};
}

FindingSides sides_of(const Finding& f) { return sides_of(f.field, f.predicted, name(f.witness), f.observed); }

std::string finding_lines(std::string_view head, const FindingSides& sides, std::string_view indent) {
  std::string out = fmt::format("{}{}{}{}\n", indent, head, sides.more.empty() ? "" : ": ", sides.more);
  const size_t width = std::max(sides.left.who.size(), sides.right.who.size()) + 1;
  for (const FindingSide* side : {&sides.left, &sides.right}) {
    if (!side->who.empty()) out += fmt::format("{}  {:<{}} {}\n", indent, side->who + ":", width, side->says);
  }
  return out;
}

}  // namespace ersatz::tools
