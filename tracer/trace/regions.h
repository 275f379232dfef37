// Moves calls that were made in another grad mode or under autocast into nested graphs.
//
// A call that is recorded before dispatch does not show the thread's settings in its operator. Consecutive nodes with
// settings different from the outside therefore become a graph. One node runs the graph with its settings:
// `higher_order.wrap_with_set_grad_enabled(False, @region, ...)`, `higher_order.wrap_with_autocast(...)`.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "runtime/base/dtype.h"
#include "tracer/program/program.h"

namespace ersatz {

/// The thread's settings that these nodes restore.
struct RegionState {
  bool grad = false;
  std::array<std::optional<DType>, 2> autocast;  ///< autocast dtypes for CPU and CUDA; nullopt: autocast is off

  static RegionState now();
  /// Returns the settings under which a program runs: the current grad mode, without autocast.
  static RegionState of_program() { return {now().grad, {}}; }
  bool operator==(const RegionState&) const = default;
};

/// `outside` has the settings under which the graph runs. REQUIRES: `states` has one entry per node, and the graph's
/// inputs and outputs are complete.
void fold_regions(Program& program, Graph& graph, std::vector<RegionState> states, const RegionState& outside);

}  // namespace ersatz
