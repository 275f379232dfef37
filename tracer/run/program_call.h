// Calls a program like the function from which it was traced, with nested arguments.
//
//   ProgramCall f(program);
//   std::vector<Value> outputs = f(arguments);
//
// Lists are flattened. Inputs with stored values come from the program. The lists of arguments that `Program::steals`
// names are emptied before the run, so a tensor that nothing else holds is freed after its last use.
#pragma once

#include <memory>

#include "tracer/program/program.h"

namespace ersatz {

class ProgramCall {
 public:
  /// REQUIRES: the program outlives the object.
  explicit ProgramCall(const Program& program);
  ~ProgramCall();

  /// Raises InvalidArgument if the arguments' number of leaves is not the number of inputs without a stored value.
  std::vector<Value> operator()(std::span<Value> arguments);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
