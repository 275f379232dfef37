// Gradients of the results of a nested graph, if data decides which graph runs or how often.
//
// Autograd follows the calls of the graph that runs, like any calls. PyTorch's autograd nodes for `cond` and
// `while_loop` give every operand a gradient: zeros if the graph that ran does not use the operand. The nodes made here
// do that too.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "runtime/autograd/node.h"
#include "runtime/op/value.h"

namespace ersatz {

class BranchGradients {
 public:
  /// Must be constructed before the graph runs. `node_name` is a literal, for example `CondAutogradOpBackward`.
  BranchGradients(std::string_view node_name, std::span<const Value> operands);

  /// Gives each result of floating point or complex dtype an autograd node. The node passes gradients on into the
  /// history of `histories[i]`, and zeros to each operand that no history in `histories` leads to. `histories` are the
  /// results themselves, or the results of a graph that may have run instead. Does nothing if no operand requires a
  /// gradient.
  void follow(std::span<const Value> results, std::span<const Value> histories) const;

 private:
  struct Operand {
    TensorMeta meta;
    Edge edge;
  };
  std::vector<Operand> unused_by(std::span<const Edge> histories) const;

  std::string_view name_;
  std::vector<Operand> operands_;  // operands that require a gradient
  uint64_t start_ = 0;             // autograd nodes that the graph makes have this sequence number or a later one
};

}  // namespace ersatz
