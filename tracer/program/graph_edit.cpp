#include "tracer/program/graph_edit.h"

#include <algorithm>
#include <unordered_set>

namespace ersatz {

void renumber(Program& program, Arg& arg, std::span<const ValueId> now) {
  if (arg.kind == Arg::Kind::Value) arg.index = now[arg.index];
  if (arg.kind == Arg::Kind::List || arg.kind == Arg::Kind::Dict) renumber(program, program.lists[arg.index], now);
}

void renumber(Program& program, ArgRange args, std::span<const ValueId> now) {
  for (uint32_t i = 0; i < args.count; ++i) renumber(program, program.args[args.first + i], now);
}

namespace {

/// Removes the values for which `stays` is false. Returns the new number of each value (kNone: removed). Values that
/// aliased a removed value alias the first remaining one of them instead.
template <class Stays>
std::vector<ValueId> keep_values(std::vector<GraphValue>& values, const Stays& stays) {
  std::vector<ValueId> now(values.size(), kNone), heir(values.size(), kNone);
  std::vector<GraphValue> kept;
  for (ValueId v = 0; v < values.size(); ++v) {
    if (!stays(v)) continue;
    GraphValue value = values[v];
    const ValueId self = static_cast<ValueId>(kept.size());
    if (value.alias != kNone) {
      ValueId& first = now[value.alias] != kNone ? now[value.alias] : heir[value.alias];
      value.alias = first;
      if (first == kNone) first = self;
    }
    now[v] = self;
    kept.push_back(value);
  }
  values = std::move(kept);
  return now;
}

void renumber_ends(Program& program, Graph& graph, std::span<const ValueId> now) {
  for (GraphInput& in : graph.inputs) in.value = now[in.value];
  for (GraphOutput& out : graph.outputs) renumber(program, out.value, now);
}

std::vector<bool> used_from(const Program& program, const Graph& graph, NodeId first) {
  std::vector<bool> used(graph.values.size(), false);
  for (NodeId i = first; i < graph.nodes.size(); ++i) {
    for (const ValueId v : argument_values(program, graph.nodes[i])) used[v] = true;
  }
  for (const GraphOutput& out : graph.outputs) {
    if (out.value.kind == Arg::Kind::Value) used[out.value.index] = true;
  }
  return used;
}

/// Returns whether running the node does something besides computing its results.
bool has_effect(const ProgramOp& op) {
  if (op.kind == ProgramOp::Kind::SymFunction) return false;
  if (!op.entry) return true;
  const Tags tags = op.entry->tags;
  const bool makes_symbol =
      // The records of other values may use a symbol that this node defines.
      tags.has(Tag::DataDependent) || tags.has(Tag::ScalarRead);
  return !op.entry->written.empty() || tags.has(Tag::Random) || op.entry->schema.returns.empty() || makes_symbol;
}

}  // namespace

void take_nodes(Program& program, Graph& graph, const std::vector<bool>& taken) {
  std::vector<NodeId> moved(graph.nodes.size(), kNone);
  std::vector<Node> nodes;
  for (NodeId i = 0; i < graph.nodes.size(); ++i) {
    if (taken[i]) continue;
    moved[i] = static_cast<NodeId>(nodes.size());
    nodes.push_back(graph.nodes[i]);
  }
  graph.nodes = std::move(nodes);
  const std::vector<ValueId> now = keep_values(graph.values, [&](ValueId v) {
    const NodeId by = graph.values[v].node;
    return by == kNone || moved[by] != kNone;
  });
  for (GraphValue& v : graph.values) {
    if (v.node != kNone) v.node = moved[v.node];
  }
  for (const Node& n : graph.nodes) {
    renumber(program, n.args, now);
    renumber(program, n.results, now);
  }
  renumber_ends(program, graph, now);
}

size_t remove_dead_nodes(Program& program) {
  size_t removed = 0;
  for (const auto& graph : program.graphs) {
    std::vector<bool> used = used_from(program, *graph, static_cast<NodeId>(graph->nodes.size()));
    std::vector<bool> dead(graph->nodes.size(), false);
    for (size_t i = graph->nodes.size(); i-- > 0;) {
      const Node& n = graph->nodes[i];
      const std::vector<ValueId> results = result_values(program, n);
      const bool needed = std::any_of(results.begin(), results.end(), [&](ValueId v) { return v != kNone && used[v]; });
      dead[i] = !needed && !has_effect(program.op(n));
      removed += dead[i];
      if (dead[i]) continue;
      for (const ValueId v : argument_values(program, n)) used[v] = true;
    }
    take_nodes(program, *graph, dead);
  }
  return removed;
}

namespace {

/// Returns a new graph with the nodes [first, last) of `from`. Its inputs are `given` and its outputs `returned`, which
/// are values of `from`.
std::unique_ptr<Graph> graph_of(Program& program, const Graph& from, NodeId first, NodeId last,
                                std::span<const ValueId> given, std::span<const ValueId> returned) {
  auto body = std::make_unique<Graph>();
  std::vector<ValueId> now(from.values.size(), kNone);
  const auto add = [&](ValueId v, NodeId node) {
    GraphValue value = from.values[v];
    value.node = node;
    if (value.alias != kNone) value.alias = now[value.alias];
    now[v] = program.add_value(*body, value);
  };
  for (const ValueId v : given) {
    add(v, kNone);
    body->inputs.push_back({now[v]});
  }
  for (NodeId i = first; i < last; ++i) {
    const Node& n = from.nodes[i];
    for (const ValueId v : result_values(program, n)) {
      if (v != kNone) add(v, i - first);
    }
    renumber(program, n.args, now);
    renumber(program, n.results, now);
    body->nodes.push_back(n);
  }
  for (const ValueId v : returned) body->outputs.push_back({Arg{0, Arg::Kind::Value, now[v]}});
  return body;
}

NameId free_graph_name(Program& program, std::string_view wanted) {
  std::unordered_set<NameId> taken;
  for (const auto& g : program.graphs) taken.insert(g->name);
  for (int i = 0;; ++i) {
    const NameId name = program.names.intern(fmt::format("{}_{}", wanted, i));
    if (!taken.count(name)) return name;
  }
}

}  // namespace

void wrap_nodes(Program& program, Graph& graph, NodeId first, NodeId last, std::string_view op,
                std::span<const Arg> settings, std::string_view name) {
  const auto inside = [&](ValueId v) {
    const NodeId by = graph.values[v].node;
    return by != kNone && by >= first && by < last;
  };
  const std::vector<bool> used = used_from(program, graph, last);
  std::vector<ValueId> given, returned;
  std::vector<bool> met(graph.values.size(), false);
  for (NodeId i = first; i < last; ++i) {
    for (const ValueId v : argument_values(program, graph.nodes[i])) {
      if (!inside(v) && !met[v]) given.push_back(v);
      met[v] = true;
    }
    for (const ValueId v : result_values(program, graph.nodes[i])) {
      if (v != kNone && used[v]) returned.push_back(v);
    }
  }
  std::vector<NameId> result_names;
  for (const ValueId v : returned) result_names.push_back(graph.values[v].name);
  const NodeId nodes = last - first;
  std::unique_ptr<Graph> body = graph_of(program, graph, first, last, given, returned);
  body->name = free_graph_name(program, name);

  const std::vector<ValueId> now = keep_values(graph.values, [&](ValueId v) { return !inside(v) || used[v]; });
  for (GraphValue& v : graph.values) {
    if (v.node == kNone || v.node < first) continue;
    v.node = v.node < last ? first : v.node - nodes + 1;
  }
  Node wrapper;
  wrapper.op = program.add_op(op);
  wrapper.name = result_names.empty() ? body->name : result_names[0];
  std::vector<Arg> args(settings.begin(), settings.end()), results;
  args.push_back({0, Arg::Kind::Graph, static_cast<uint32_t>(program.graphs.size())});
  for (const ValueId v : given) args.push_back({0, Arg::Kind::Value, now[v]});
  for (const ValueId v : returned) results.push_back({0, Arg::Kind::Value, now[v]});
  wrapper.args = program.add_args(args);
  wrapper.results = program.add_args(results);
  wrapper.one_tuple = results.size() == 1;
  for (NodeId i = 0; i < graph.nodes.size(); ++i) {
    if (i >= first && i < last) continue;
    renumber(program, graph.nodes[i].args, now);
    renumber(program, graph.nodes[i].results, now);
  }
  renumber_ends(program, graph, now);
  graph.nodes.erase(graph.nodes.begin() + first, graph.nodes.begin() + last);
  graph.nodes.insert(graph.nodes.begin() + first, wrapper);
  program.graphs.push_back(std::move(body));
}

}  // namespace ersatz
