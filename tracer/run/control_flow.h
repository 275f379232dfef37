// Higher-order nodes that choose and repeat graphs, and those that order effects:
//
//   cond(pred, true_graph, false_graph, [operands...])                 the results of one of them
//   while_loop(more_graph, body_graph, [carried...], [others...])      what is carried, after the last iteration
//   scan(graph, [init...], [xs...], [others...])                       what is carried; the steps' results, stacked
//   map_impl(graph, [xs...], [others...])                              the graph's results for each slice, stacked
//   with_effects(token, op, arguments...)                              another token, and the op's results
//
// scan and map_impl take slices of dim 0. Where the data that decides is not there (fakes), both graphs of a cond and
// one iteration of a loop run: what they return has to have the same metadata, which is then the node's, and unknown
// values. Where it has not, DataDependentOutput says which result. Source: PyTorch's operators of these
// names.
#pragma once

#include "tracer/run/higher_order.h"

namespace ersatz {

/// Null where the node is none of these. Errors as higher_order_op.
std::unique_ptr<HigherOrderOp> control_flow_op(const Program& program, const Node& node, const PrepareOptions& options);

}  // namespace ersatz
