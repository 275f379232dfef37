// Finds values of a run that depend on a choice of a library (runtime/op/library_choice.h), for example signs of
// eigenvectors. They are not compared element by element with values of another run.
#pragma once

#include "fake/crosscheck/crosscheck.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

class ChosenValues {
 public:
  explicit ChosenValues(const Program& program) : program_(program), of_(program.main().values.size()) {}

  /// Notes a call. `args` are its arguments, defaults included. `results` are its results on the CPU, one for each
  /// return of the schema.
  void see(const NodeCall& call, std::span<const Value> args, const Values& results);
  /// Returns the choice that a value of the main graph depends on.
  Choice of(ValueId id) const { return of_[id]; }

 private:
  const Program& program_;
  std::vector<Choice> of_;
};

}  // namespace ersatz::tools
