// Higher-order nodes, whose arguments are graphs or operators, as operators of their own.
//
//   wrap_with_set_grad_enabled(flag, graph, operands...)                     runs the graph with that grad mode
//   wrap_with_autocast(device, dtype, enabled, cache, graph, operands...)    runs the graph in that autocast scope
//   auto_functionalized_v2(op, keywords..., _X_base_index..., _all_bases)    copies the bases, calls op on the copies,
//                                                                            and returns op's results and the copies
//   tag_activation_checkpoint(graph, operands...), invoke_subgraph(graph, name, operands...), wrap(graph, operands...)
//                                                                            run the graph
//   cond, while_loop, scan, map_impl, with_effects                           tracer/run/control_flow.h
//
// Each of these nodes becomes a composite op that its PreparedProgram owns. The op's arguments are the node's operands,
// and its body runs the nested graph or the operator. Modes and tools therefore treat it like any composite. Source:
// PyTorch's higher-order operators of these names.
#pragma once

#include <memory>

#include "tracer/run/prepared.h"

namespace ersatz {

/// The operator of a higher-order node, and the node's arguments that are its operands.
class HigherOrderOp : public OpEntry {
 public:
  virtual ~HigherOrderOp() = default;
  const Program& program;
  const Node& node;
  std::vector<Arg> operands;  ///< the node's arguments that the call takes, in order
  bool is_region = false;     ///< runs its only graph under another grad mode or autocast setting
  /// Names of unregistered operators that the node needs. If there are any, the node cannot be called.
  std::vector<std::string> missing;

 protected:
  /// Makes a schema with the node's name, one argument of any type for each operand, and one return for each result.
  HigherOrderOp(const Program& program, const Node& node, std::vector<Arg> operands);
  HigherOrderOp(const Program& program, const Node& node, ArgRange operands);
};

/// Returns null for an unknown kind of node. Raises InvalidArgument for arguments that do not fit the kind,
/// NotSupported for settings that are not implemented. Program and graph must outlive the result.
std::unique_ptr<HigherOrderOp> higher_order_op(const Program& program, const Node& node, const PrepareOptions& options);

}  // namespace ersatz
