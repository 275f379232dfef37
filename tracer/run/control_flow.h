// Higher-order nodes that choose or repeat graphs, and one that orders effects:
//
//   cond(pred, true_graph, false_graph, [operands...])                 returns the results of one graph
//   while_loop(more_graph, body_graph, [carried...], [others...])      returns the last carried values
//   scan(graph, [init...], [xs...], [others...])                       returns the carried values, and stacked results
//   map_impl(graph, [xs...], [others...])                              returns the stacked results for all slices
//   with_effects(token, op, arguments...)                              returns another token, and the op's results
//
// scan and map_impl take slices of dim 0. For fakes, the predicate's value may be unknown. Then both graphs of a cond
// run, or one iteration of a loop. Two lists of tensors are compared: the results of both graphs, or the carried values
// before and after the iteration. If their metadata are equal, the node's results have these metadata and unknown
// values. Otherwise DataDependentOutput is raised, which names the index of the first unequal result. Source: PyTorch's
// operators of these names.
#pragma once

#include "tracer/run/higher_order.h"

namespace ersatz {

/// Returns the operator of a node listed above; null for another node. RAISES the errors of `higher_order_op`.
std::unique_ptr<HigherOrderOp> control_flow_op(const Program& program, const Node& node, const PrepareOptions& options);

}  // namespace ersatz
