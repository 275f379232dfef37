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
// Each such node becomes a composite op that belongs to its PreparedProgram: its arguments are the node's operands, its
// body runs the nested graph or the operator. So every mode and every tool treats it as it treats other composites.
// Source: PyTorch's higher-order operators of these names.
#pragma once

#include <memory>

#include "tracer/run/prepared.h"

namespace ersatz {

/// The operator that a higher-order node is, and what of the node's arguments are its operands.
class HigherOrderOp : public OpEntry {
 public:
  virtual ~HigherOrderOp() = default;
  const Program& program;
  const Node& node;
  std::vector<Arg> operands;  ///< those of the node's arguments that are the call's, in order
  bool is_region = false;     ///< runs its one graph where it stands, under a setting that calls can see
  /// Names of operators that the node needs and that are not registered; with any, the node cannot be called.
  std::vector<std::string> missing;

 protected:
  /// Name, an argument a piece for `operands` (any type), a return a piece for the node's results.
  HigherOrderOp(const Program& program, const Node& node, std::vector<Arg> operands);
  HigherOrderOp(const Program& program, const Node& node, ArgRange operands);
};

/// Null for kinds that are not known. InvalidArgument where the arguments do not fit the kind, NotSupported where they
/// ask for what is not there. Program and graph must outlive the result.
std::unique_ptr<HigherOrderOp> higher_order_op(const Program& program, const Node& node, const PrepareOptions& options);

}  // namespace ersatz
