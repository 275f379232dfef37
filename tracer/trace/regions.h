// Calls that were made under another grad mode or under autocast, as graphs of their own.
//
// What is recorded before dispatch does not show in its operators what the thread's settings were. So nodes that follow
// each other under settings unlike those outside become a graph, and a node in their place that runs it under these:
// `higher_order.wrap_with_set_grad_enabled(False, @region, ...)`, `higher_order.wrap_with_autocast(...)`.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "runtime/base/dtype.h"
#include "tracer/program/program.h"

namespace ersatz {

/// The settings of the thread that such nodes carry.
struct RegionState {
  bool grad = false;
  std::array<std::optional<DType>, 2> autocast;  ///< dtypes by device type, CPU and CUDA; none where it is off

  static RegionState now();
  /// What the run of a program finds: grad mode as it is now, no autocast.
  static RegionState of_program() { return {now().grad, {}}; }
  bool operator==(const RegionState&) const = default;
};

/// `outside`: what a run of the graph finds. REQUIRES: a state for each node of the graph, and its inputs and outputs
/// are there.
void fold_regions(Program& program, Graph& graph, std::vector<RegionState> states, const RegionState& outside);

}  // namespace ersatz
