#include "tracer/trace/regions.h"

#include "runtime/base/context.h"
#include "tracer/program/graph_edit.h"

namespace ersatz {

namespace {

/// Calls `wrap(first, last, state)` for each longest row of nodes with `differs(state)` and states that are `same` as
/// the first one's. One node stands in their place then, whose state `wrap` may change.
template <class Differs, class Same, class Wrap>
void fold(std::vector<RegionState>& states, const Differs& differs, const Same& same, const Wrap& wrap) {
  for (size_t first = 0; first < states.size(); ++first) {
    if (!differs(states[first])) continue;
    size_t last = first + 1;
    while (last < states.size() && same(states[last], states[first])) ++last;
    wrap(static_cast<NodeId>(first), static_cast<NodeId>(last), states[first]);
    states.erase(states.begin() + static_cast<ptrdiff_t>(first) + 1, states.begin() + static_cast<ptrdiff_t>(last));
  }
}

}  // namespace

RegionState RegionState::now() {
  const RuleContext& c = rule_context();
  return {c.grad_mode, (c.autocast & (1u << static_cast<int>(DeviceType::CPU))) != 0, c.autocast_dtype};
}

void fold_regions(Program& program, Graph& graph, std::vector<RegionState> states, const RegionState& outside) {
  const auto is = [](const RegionState& a, const RegionState& b) { return a.grad == b.grad && a.same_autocast(b); };
  fold(
      states, [&](const RegionState& s) { return s.grad != outside.grad; }, is,
      [&](NodeId first, NodeId last, RegionState& state) {
        const Arg settings[] = {program.add_literal(Value(state.grad))};
        wrap_nodes(program, graph, first, last, "higher_order.wrap_with_set_grad_enabled", settings, "grad_region");
        state.grad = outside.grad;
      });
  fold(
      states, [](const RegionState& s) { return s.autocast; },
      [](const RegionState& a, const RegionState& b) { return a.same_autocast(b); },
      [&](NodeId first, NodeId last, const RegionState& state) {
        const Arg settings[] = {program.add_literal(Value("cpu")), program.add_literal(Value(state.autocast_dtype)),
                                program.add_literal(Value(true)), program.add_literal(Value(false))};
        wrap_nodes(program, graph, first, last, "higher_order.wrap_with_autocast", settings, "autocast_region");
      });
}

}  // namespace ersatz
