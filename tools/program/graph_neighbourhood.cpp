#include "tools/program/graph_neighbourhood.h"

#include <algorithm>

#include "tools/output/finding_groups.h"

namespace ersatz::tools {

namespace {

std::string recorded(const Program& program, const GraphValue& value) {
  const TensorMeta* meta = program.meta(value);
  return meta ? to_string(*meta) : std::string(name(value.kind));
}

Neighbour of_node(const Program& program, NodeId id) {
  const Graph& graph = program.main();
  const Node& node = graph.nodes[id];
  Neighbour n{std::string(program.name(node.name)), std::string(program.name(program.op(node).name)), ""};
  for (ValueId v : result_values(program, node)) {
    if (v == kNone) continue;
    if (n.meta.empty()) n.meta = recorded(program, graph.values[v]);
    if (n.name.empty()) n.name = program.name(graph.values[v].name);
  }
  return n;
}

template <class F>
void each_value(const Program& program, ArgRange range, F&& f) {
  auto walk = [&](auto& self, std::span<const Arg> args) -> void {
    for (const Arg& a : args) {
      if (a.kind == Arg::Kind::Value) f(a.index);
      if (a.kind == Arg::Kind::List || a.kind == Arg::Kind::Dict) self(self, program.list(a));
    }
  };
  walk(walk, program.view(range));
}

void add(std::vector<Neighbour>& to, size_t& more, Neighbour n) {
  if (to.size() < GraphNeighbourhood::kMostNeighbours) {
    to.push_back(std::move(n));
  } else {
    ++more;
  }
}

}  // namespace

bool find_neighbours(const Program& program, std::string_view node, GraphNeighbourhood& found) {
  const Graph& graph = program.main();
  NodeId self = 0;
  for (; self < graph.nodes.size(); ++self) {
    const Node& n = graph.nodes[self];
    bool named = program.name(n.name) == node;
    for (ValueId v : result_values(program, n)) named |= v != kNone && program.name(graph.values[v].name) == node;
    if (named) break;
  }
  if (self == graph.nodes.size()) return false;
  found.node = of_node(program, self);
  found.node.name = node;
  std::vector<ValueId> seen;
  each_value(program, graph.nodes[self].args, [&](ValueId v) {
    if (std::find(seen.begin(), seen.end(), v) != seen.end()) return;
    seen.push_back(v);
    const GraphValue& value = graph.values[v];
    Neighbour n{std::string(program.name(value.name)), "", recorded(program, value)};
    if (value.node != kNone) n.op = program.name(program.op(graph.nodes[value.node]).name);
    add(found.producers, found.more_producers, std::move(n));
  });
  const std::vector<ValueId> results = result_values(program, graph.nodes[self]);
  for (NodeId id = self + 1; id < graph.nodes.size(); ++id) {
    bool uses = false;
    each_value(program, graph.nodes[id].args,
               [&](ValueId v) { uses |= std::find(results.begin(), results.end(), v) != results.end(); });
    if (uses) add(found.users, found.more_users, of_node(program, id));
  }
  return true;
}

std::vector<GraphNeighbourhood> neighbourhoods_of(const Program& program, std::span<const Finding> findings) {
  constexpr size_t kMost = 20;
  std::vector<GraphNeighbourhood> found;
  for (const FindingGroup& g : group_findings(findings)) {
    GraphNeighbourhood s;
    s.finding = g.findings.front();
    if (find_neighbours(program, findings[s.finding].node, s)) found.push_back(std::move(s));
    if (found.size() == kMost) break;
  }
  return found;
}

}  // namespace ersatz::tools
