// Runs the nodes of a program for a tracer, which keeps what they say of where they come from: modules, the operator
// that was taken apart, the user's call. Source lines the Interpreter sets itself. Nodes that ask for sizes, and
// functions on numbers, are nodes of the new program too where they give symbols: a tracer that sees only calls writes
// such nodes as it needs them.
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
  void number(const NodeCall& call, std::span<const Values> results) override;

 private:
  const ModulePlace* place_of(const Node& node) const;

  const Program& program_;
  std::vector<ModulePlace> places_;  ///< by number of the module
};

}  // namespace ersatz
