// Values of a program's run that depend on what a library chose (runtime/op/library_choice.h): signs of eigenvectors,
// and all that is computed from them. Another run's values of these are not held against this run's one by one.
#pragma once

#include "fake/crosscheck/crosscheck.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

class ChosenValues {
 public:
  explicit ChosenValues(const Program& program) : program_(program), of_(program.main().values.size()) {}

  /// A call has run: its complete arguments and results, one per schema return, on the CPU.
  void see(const NodeCall& call, std::span<const Value> args, const Values& results);
  /// A value of the main graph.
  Choice of(ValueId id) const { return of_[id]; }

 private:
  const Program& program_;
  std::vector<Choice> of_;
};

}  // namespace ersatz::tools
