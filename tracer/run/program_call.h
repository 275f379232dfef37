// A program called as the function that it was traced from: with nested arguments.
//
//   ProgramCall f(program);
//   std::vector<Value> outputs = f(arguments);
//
// Lists are flattened; inputs with stored values come from the program. The lists of arguments that the program names
// in `steals` are emptied before it runs, so that a tensor which nobody else holds is freed behind its last use.
#pragma once

#include <memory>

#include "tracer/program/program.h"

namespace ersatz {

class ProgramCall {
 public:
  /// REQUIRES: the program outlives the object.
  explicit ProgramCall(const Program& program);
  ~ProgramCall();

  /// InvalidArgument where the arguments have another number of leaves than the program has inputs without a value.
  std::vector<Value> operator()(std::span<Value> arguments);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
