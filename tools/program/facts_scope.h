// Decides which facts of a recorded eager run are valid in a run on other values.
//
// The metadata of results follow from metadata and numbers of arguments, and in some ops from values. A recorded fact
// is valid if the call's arguments have the recorded metadata and numbers. For an op that reads values, crosscheck
// drops the fact (CallSite::other_values). With other inputs or weights, sizes and numbers that depend on data differ,
// and so do results computed from them. From a result that has the recorded metadata on, facts are valid again.
#pragma once

#include <span>
#include <vector>

#include "tracer/program/program.h"
#include "tracer/records/facts.h"

namespace ersatz::tools {

class FactsScope {
 public:
  /// All facts are valid until `begin_other_run`.
  explicit FactsScope(const Program& program) : program_(program) {}

  /// This run has other values than the recorded run. `facts` gives the recorded graph inputs and must outlive this
  /// object.
  void begin_other_run(const Facts& facts);
  bool other_run() const { return facts_ != nullptr; }

  /// True if the facts of a call with these arguments are valid in this run.
  bool hold_for(std::span<const ValueId> arguments) const;
  /// Notes the metadata of a value in this run. `arguments`: those of its call; empty for a graph input.
  void see(ValueId value, const Value& actual, std::span<const ValueId> arguments);

 private:
  const Program& program_;
  // The recorded facts, if this run has other inputs than the recorded run: some facts may then not hold here. Null if
  // all of them hold.
  const Facts* facts_ = nullptr;
  std::vector<bool> apart_;  // for each value: it differs from the recorded run, or may differ
};

}  // namespace ersatz::tools
