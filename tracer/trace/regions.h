// Moves calls that were made in another grad mode, or under autocast, into nested graphs.
//
// If a call is recorded before dispatch, its operator does not show the grad mode and autocast settings of the thread.
// So consecutive nodes whose settings differ from the settings of the whole graph become a nested graph. One node runs
// that graph under its settings: `higher_order.wrap_with_set_grad_enabled(False, @region, ...)`,
// `higher_order.wrap_with_autocast(...)`.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "runtime/base/dtype.h"
#include "tracer/program/program.h"

namespace ersatz {

/// The settings of the thread under which a node was recorded.
struct RegionState {
  bool grad = false;
  std::array<std::optional<DType>, 2> autocast;  ///< autocast dtype for CPU and for CUDA; nullopt: autocast is off

  static RegionState now();
  /// Returns the settings under which a program runs: the thread's current grad mode, and no autocast.
  static RegionState of_program() { return {now().grad, {}}; }
  bool operator==(const RegionState&) const = default;
};

/// Moves the nodes whose settings differ from `outside`, the settings under which `graph` runs. REQUIRES: `states` has
/// one entry for each node, and the graph's inputs and outputs are complete.
void fold_regions(Program& program, Graph& graph, std::vector<RegionState> states, const RegionState& outside);

}  // namespace ersatz
