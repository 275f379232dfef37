#include "tracer/trace/regions.h"

#include "runtime/base/context.h"
#include "tracer/program/graph_edit.h"

namespace ersatz {

namespace {

/// Finds each longest run of nodes whose first state satisfies `differs` and whose other states are `same` as the
/// first. Calls `wrap(first, last, state)`, which replaces the run by one node and may change that node's state.
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
  RegionState state{c.grad_mode, {}};
  if (c.autocast >> static_cast<int>(DeviceType::CPU) & 1) state.autocast[0] = c.autocast_dtype_cpu;
  if (c.autocast >> static_cast<int>(DeviceType::CUDA) & 1) state.autocast[1] = c.autocast_dtype_cuda;
  return state;
}

void fold_regions(Program& program, Graph& graph, std::vector<RegionState> states, const RegionState& outside) {
  const auto same = [](const RegionState& a, const RegionState& b) { return a == b; };
  fold(
      states, [&](const RegionState& s) { return s.grad != outside.grad; }, same,
      [&](NodeId first, NodeId last, RegionState& state) {
        const Arg settings[] = {program.add_literal(Value(state.grad))};
        wrap_nodes(program, graph, first, last, "higher_order.wrap_with_set_grad_enabled", settings, "grad_region");
        state.grad = outside.grad;
      });
  for (const DeviceType device : {DeviceType::CPU, DeviceType::CUDA}) {
    const auto d = static_cast<size_t>(device);
    fold(
        states, [&](const RegionState& s) { return s.autocast[d] != outside.autocast[d]; }, same,
        [&](NodeId first, NodeId last, RegionState& state) {
          const std::optional<DType> dtype = state.autocast[d];
          const Arg settings[] = {program.add_literal(Value(name(device))),
                                  dtype ? program.add_literal(Value(*dtype)) : Arg{},
                                  program.add_literal(Value(dtype.has_value())), program.add_literal(Value(false))};
          wrap_nodes(program, graph, first, last, "higher_order.wrap_with_autocast", settings, "autocast_region");
          state.autocast[d] = outside.autocast[d];
        });
  }
}

}  // namespace ersatz
