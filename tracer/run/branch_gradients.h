// Gradients of what a nested graph returns, where which graph runs, or how often, depends on data.
//
// The calls of the graph that runs are followed as any others. PyTorch's nodes of `cond` and `while_loop` give each
// operand a gradient: zeros, where the graph that ran does not use the operand. So do these.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "runtime/autograd/node.h"
#include "runtime/op/value.h"

namespace ersatz {

class BranchGradients {
 public:
  /// Before the graph runs. `node_name` is a literal: `CondAutogradOpBackward`.
  BranchGradients(std::string_view node_name, std::span<const Value> operands);

  /// Gives results of floating point or complex dtype a node: gradients go on into the history of `histories[i]`, and
  /// zeros to each operand that no history among `histories` leads to. `histories` are the results, or the results of a
  /// graph that may have run instead. Does nothing where no gradient is wanted.
  void follow(std::span<const Value> results, std::span<const Value> histories) const;

 private:
  struct Operand {
    TensorMeta meta;
    Edge edge;
  };
  std::vector<Operand> unused_by(std::span<const Edge> histories) const;

  std::string_view name_;
  std::vector<Operand> operands_;  // those that a gradient is wanted of
  uint64_t start_ = 0;             // nodes of the graph have this sequence number or a later one
};

}  // namespace ersatz
