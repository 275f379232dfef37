// Runs the nodes of a program under a tracer, and passes on where they come from: module, decomposed operator, user's
// call. (The Interpreter sets source lines itself.) Nodes that query sizes, and functions on numbers, are recorded too
// if they return symbols. Without this handler a tracer writes them only on use.
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
  std::vector<ModulePlace> places_;  ///< by module index
};

}  // namespace ersatz
