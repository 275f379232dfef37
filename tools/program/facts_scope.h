// Decides which facts of a recorded eager run are valid in a run on other values.
//
// The metadata of results depend on metadata and numbers of arguments and, for some ops, on values. A recorded fact is
// valid if the call's arguments have the recorded metadata and numbers. For an op that reads values, crosscheck drops
// the fact (CallSite::other_values). With other inputs or weights, sizes and numbers that depend on data differ, and so
// do results computed from them. If a later result has the recorded metadata again, facts about the nodes that use it
// are valid.
#pragma once

#include <span>
#include <vector>

#include "tracer/program/program.h"
#include "tracer/records/facts.h"

namespace ersatz::tools {

class FactsScope {
 public:
  /// All facts are valid until `begin_other_run` is called.
  explicit FactsScope(const Program& program) : program_(program) {}

  /// Declares that this run has other values than the recorded run. `facts` has the recorded graph inputs and must
  /// outlive this object.
  void begin_other_run(const Facts& facts);
  bool other_run() const { return facts_ != nullptr; }

  /// True if the facts of a call with these arguments are valid in this run.
  bool hold_for(std::span<const ValueId> arguments) const;
  /// Notes the metadata of a value in this run. `arguments` are the arguments of the call that made it; empty for a
  /// graph input.
  void see(ValueId value, const Value& actual, std::span<const ValueId> arguments);

 private:
  const Program& program_;
  // The recorded facts, if this run has other inputs than the recorded run, so that some facts may be invalid. Null if
  // all facts are valid.
  const Facts* facts_ = nullptr;
  std::vector<bool> apart_;  // for each value: true if it differs from the recorded run or may differ
};

}  // namespace ersatz::tools
