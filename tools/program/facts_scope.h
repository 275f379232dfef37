// Of which values of this run a recorded eager run may speak.
//
// A call's metadata follow from its arguments' metadata and numbers, and in some ops from values. A fact is the answer
// to the call of the recorded run: it is one to this call where the arguments are the same in that respect. With other
// inputs or weights (made up, or given by the user) sizes and numbers that come from data are others, and so is what
// follows from them. An argument whose metadata is what the recorded run had passes nothing on.
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
