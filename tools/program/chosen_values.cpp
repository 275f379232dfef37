#include "tools/program/chosen_values.h"

#include "fake/crosscheck/tolerance.h"
#include "runtime/op/library_choice.h"
#include "tools/program/finding_ancestry.h"

namespace ersatz::tools {

void ChosenValues::see(const NodeCall& call, std::span<const Value> args, const Values& results) {
  bool computed = false;
  for (const ValueId id : argument_values(call)) computed |= of_[id] != Choice::None;
  const LibraryChoice* const library = library_choice(call.step.entry->name);
  if (!computed && !library) return;
  const Values flat = flat_results(results);
  const auto is_lawful = [&] {
    return is_satisfied(*library, args, flat, tolerance_of(flat[0].tensor().dtype(), ComparedWith::Record).relative);
  };
  const bool lawful = library && !computed && is_lawful();
  const std::vector<ValueId> ids = result_values(program_, call.node());
  for (size_t k = 0; k < ids.size(); ++k) {
    if (ids[k] == kNone) continue;
    if (computed)
      of_[ids[k]] = Choice::Computed;
    else if (lawful && (library->free >> k & 1))
      of_[ids[k]] = Choice::Lawful;
  }
}

}  // namespace ersatz::tools
