// Runs the nodes of a program under a tracer. Each new node gets the origin of the old one: module, decomposed operator
// and user's call. (The Interpreter sets source lines itself.) Queries of sizes and functions on numbers that return
// symbols are recorded too. Without this handler, a tracer records them only if a later call uses the symbol.
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
  std::vector<ModulePlace> places_;  ///< indexed by module
};

}  // namespace ersatz
