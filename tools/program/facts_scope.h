// Which facts of a recorded eager run hold in a run on other values.
//
// The metadata of a call's results follow from the metadata and numbers of its arguments, and in some ops from values.
// A fact of the recorded run holds for the same call in this run where metadata and numbers of the arguments are the
// same; where an op reads values, crosscheck drops the fact (CallSite::other_values). With other inputs or weights
// (made up, or given by the user) sizes and numbers that come from data differ, and so do results computed from them; a
// result that has the recorded run's metadata again ends such a chain.
#pragma once

#include <span>
#include <vector>

#include "tracer/program/program.h"
#include "tracer/records/facts.h"

namespace ersatz::tools {

class FactsScope {
 public:
  /// Before the run with its inputs or weights is known all facts hold.
  explicit FactsScope(const Program& program) : program_(program) {}

  /// The run is on other values than the facts' run, whose graph inputs `facts` names. The facts must outlive this.
  void begin_other_run(const Facts& facts);
  bool other_run() const { return facts_ != nullptr; }

  /// Do the facts of a call with these arguments hold for this run?
  bool hold_for(std::span<const ValueId> arguments) const;
  /// Notes what a value is in this run. `arguments`: of the call that returned it; none for a graph input.
  void see(ValueId value, const Value& actual, std::span<const ValueId> arguments);

 private:
  const Program& program_;
  const Facts* facts_ = nullptr;  // of another run; null while all facts hold
  std::vector<bool> apart_;       // per value: not what the recorded run had, or not known to be
};

}  // namespace ersatz::tools
