#include "tracer/pasted/exported_program_text.h"

#include "tracer/pasted/torch_trace.h"

namespace ersatz::pasted {

void read_range_constraints(std::span<const CleanLine* const> lines, GraphHints& hints) {
  constexpr std::string_view kHead = "Range constraints: {", kRange = ": VR[";
  for (const CleanLine* line : lines) {
    const size_t at = line->text.find(kHead);
    if (at == line->text.npos) continue;
    std::string_view rest = line->text.substr(at + kHead.size());
    for (size_t range; (range = rest.find(kRange)) != rest.npos;) {
      std::string_view name = rest.substr(0, range);
      if (const size_t blank = name.find_last_of(" ,{"); blank != name.npos) name.remove_prefix(blank + 1);
      const size_t end = rest.find(']', range);
      if (end == rest.npos) return;
      const size_t bracket = range + kRange.size() - 1;
      read_range(rest.substr(bracket, end + 1 - bracket), hints.symbols[std::string(name)]);
      rest.remove_prefix(end + 1);
    }
    return;
  }
}

}  // namespace ersatz::pasted
