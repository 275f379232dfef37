#include "tools/output/output_budget.h"

#include <fmt/format.h>

namespace ersatz::tools {

Document OutputBudget::fit(Document lines, int64_t findings) {
  if (whole_) return lines;
  if (lines.size() > kMostOfFinding) {
    const size_t bytes = lines.size() - kMostOfFinding;
    lines.cut(kMostOfFinding);
    lines.add(Document::Kind::Below,
              fmt::format("{} more bytes of this finding: -o FILE or --json has all of it", bytes));
  }
  if (lines.size() > left_) {
    left_ = 0;
    left_out_ += findings;
    return {};
  }
  left_ -= lines.size();
  return lines;
}

std::string OutputBudget::rest(std::string_view what, std::string_view also) const {
  if (left_out_ == 0) return "";
  return fmt::format("{} more {}{}: -o FILE (text, or JSON with --json) has all of them{}\n", left_out_, what,
                     left_out_ == 1 ? "" : "s", also);
}

}  // namespace ersatz::tools
