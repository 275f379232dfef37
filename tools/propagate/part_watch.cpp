#include "tools/propagate/part_watch.h"

#include "runtime/base/source_line.h"
#include "tools/propagate/non_finite_origin.h"

namespace ersatz::tools {

void PartWatch::answer(const OpEntry& op, std::span<const Value> args, Answer& answer) {
  nan_.reset();
  inf_.reset();
  if (!op.composite) return mode_.answer(op, args, answer);
  const ModeGuard guard(*this);
  mode_.answer(op, args, answer);
}

void PartWatch::call(const OpEntry& op, std::span<const Value> args, Values& results) {
  const std::string_view line = current_source_line();
  const std::string_view place = place_of_(line);
  const SourceLine told(place);
  const Special before = special_before(op, args);
  Answer answer;
  {
    std::optional<ModeGuard> guard;  // watches the calls inside a composite part
    if (op.composite) guard.emplace(*this);
    mode_.answer(op, args, answer);
  }
  if (!op.composite) {
    if (const std::optional<NewNonFinite> made = new_non_finite(op, args, before, answer.results)) {
      std::optional<SpecialPart>& first = made->nan ? nan_ : inf_;
      if (!first) first = {op.name, place == line ? "" : std::string(line), made->asked};
    }
  }
  for (Value& v : answer.results) results.push_back(std::move(v));
}

}  // namespace ersatz::tools
