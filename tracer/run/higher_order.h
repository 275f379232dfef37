// Makes an operator for each higher-order node, a node whose arguments are graphs or operators.
//
//   wrap_with_set_grad_enabled(flag, graph, operands...)                     runs the graph with that grad mode
//   wrap_with_autocast(device, dtype, enabled, cache, graph, operands...)    runs the graph in that autocast scope
//   auto_functionalized_v2(op, keywords..., _X_base_index..., _all_bases)    copies the bases, calls op on the copies,
//                                                                            and returns op's results and the copies
//   tag_activation_checkpoint(graph, operands...), invoke_subgraph(graph, name, operands...), wrap(graph, operands...)
//                                                                            run the graph
//   cond, while_loop, scan, map_impl, with_effects                           tracer/run/control_flow.h
//
// Each of these nodes gets a composite op, which its PreparedProgram owns. The op's arguments are the node's operands,
// and its body runs the nested graph or the operator. So modes and tools treat the node like any composite. Source:
// PyTorch's higher-order operators of these names.
#pragma once

#include <memory>

#include "tracer/run/prepared.h"

namespace ersatz {

/// The operator made for a higher-order node, with the node's operands.
class HigherOrderOp : public OpEntry {
 public:
  virtual ~HigherOrderOp() = default;
  const Program& program;
  const Node& node;
  std::vector<Arg> operands;  ///< the arguments of the node that are arguments of the call, in order
  bool is_region = false;     ///< the op only runs its graph under another grad mode or autocast setting
  /// Names of unregistered operators that the node needs. If there are any, the node cannot be called.
  std::vector<std::string> missing;

 protected:
  /// Makes a schema with the node's name, one argument of any type for each operand, and one return for each result.
  HigherOrderOp(const Program& program, const Node& node, std::vector<Arg> operands);
  HigherOrderOp(const Program& program, const Node& node, ArgRange operands);
};

/// Makes the operator of a node. Returns null for an unknown kind of node. RAISES InvalidArgument if the arguments do
/// not fit the kind, NotSupported for settings that are not implemented. REQUIRES: program and graph outlive the
/// result.
std::unique_ptr<HigherOrderOp> higher_order_op(const Program& program, const Node& node, const PrepareOptions& options);

}  // namespace ersatz
