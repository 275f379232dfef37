// Calls a program like the function that it was traced from, with nested arguments.
//
//   ProgramCall f(program);
//   std::vector<Value> outputs = f(arguments);
//
// Lists are flattened. Inputs with stored values come from the program. If `Program::steals` names an argument, its
// list is emptied before the run, so that a tensor that nothing else owns is freed after its last use.
#pragma once

#include <memory>

#include "tracer/program/program.h"

namespace ersatz {

class ProgramCall {
 public:
  /// REQUIRES: the program outlives the object.
  explicit ProgramCall(const Program& program);
  ~ProgramCall();

  /// Calls the program. RAISES InvalidArgument if the number of leaves in the arguments is not the number of inputs
  /// without stored values.
  std::vector<Value> operator()(std::span<Value> arguments);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
