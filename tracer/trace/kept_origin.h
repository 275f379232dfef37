// Runs the nodes of a program for a tracer, which keeps what they say of where they come from: modules, the operator
// that was taken apart, the user's call. Source lines the Interpreter sets itself.
#pragma once

#include <vector>

#include "fake/object/module_call.h"
#include "tracer/run/interpreter.h"

namespace ersatz {

class KeptOrigin final : public NodeHandler {
 public:
  /// REQUIRES: the program outlives the handler.
  explicit KeptOrigin(const Program& program);
  void call(const NodeCall& call, std::span<Values> results) override;

 private:
  const Program& program_;
  std::vector<ModulePlace> places_;  ///< by number of the module
};

}  // namespace ersatz
