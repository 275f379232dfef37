#include "tracer/program/graph_builder.h"

#include <unordered_map>

namespace ersatz {

struct GraphBuilder::Impl {
  void define_value(ValueId id);
  void resolve_arg(Arg& arg);
  ValueId look_up(NameId name);
  void resolve(const Refuse& how_to_refuse);

  Program& program;
  Graph& graph;
  std::unordered_map<NameId, ValueId> defined = {};
  std::vector<std::pair<ValueId, NameId>> aliases = {};
  // State of `resolve`: the input, node or output that is being resolved.
  const Refuse* refuse = nullptr;
  char what = 'i';
  size_t index = 0;
};

GraphBuilder::GraphBuilder(Program& program, Graph& graph) : impl_(new Impl{program, graph}) {}
GraphBuilder::~GraphBuilder() = default;

Program& GraphBuilder::program() { return impl_->program; }
Graph& GraphBuilder::graph() { return impl_->graph; }
void GraphBuilder::add_node(Node node) { graph().nodes.push_back(node); }
void GraphBuilder::resolve(const Refuse& refuse) { impl_->resolve(refuse); }

Arg GraphBuilder::named_value(std::string_view name) { return {0, Arg::Kind::Value, program().names.intern(name)}; }

Arg GraphBuilder::define(std::string_view name, ValueKind kind, uint32_t record) {
  GraphValue v;
  v.name = program().names.intern(name);
  v.kind = kind;
  v.record = record;
  return {0, Arg::Kind::Value, program().add_value(graph(), v)};
}

void GraphBuilder::set_alias(ValueId value, std::string_view name) {
  impl_->aliases.emplace_back(value, program().names.intern(name));
}

void GraphBuilder::Impl::define_value(ValueId id) {
  GraphValue& v = graph.values[id];
  if (v.name == 0) (*refuse)(what, index, "a value without a name");
  v.node = what == 'n' ? static_cast<NodeId>(index) : kNone;
  if (!defined.emplace(v.name, id).second) {
    (*refuse)(what, index, fmt::format("a second value is named %{}", program.name(v.name)));
  }
}

ValueId GraphBuilder::Impl::look_up(NameId name) {
  auto found = defined.find(name);
  if (found == defined.end()) {
    (*refuse)(what, index, fmt::format("no value before this is named %{}", program.name(name)));
    raise_internal_error(__FILE__, __LINE__, "throws", "refuse() came back");
  }
  return found->second;
}

void GraphBuilder::Impl::resolve_arg(Arg& arg) {
  if (arg.kind == Arg::Kind::Value) {
    arg.index = look_up(arg.index);
  } else if (arg.kind == Arg::Kind::List || arg.kind == Arg::Kind::Dict) {
    const ArgRange items = program.lists[arg.index];
    for (uint32_t i = 0; i < items.count; ++i) resolve_arg(program.args[items.first + i]);
  }
}

void GraphBuilder::Impl::resolve(const Refuse& how_to_refuse) {
  refuse = &how_to_refuse;
  defined.reserve(graph.values.size());
  what = 'i';
  for (index = 0; index < graph.inputs.size(); ++index) define_value(graph.inputs[index].value);
  what = 'n';
  for (index = 0; index < graph.nodes.size(); ++index) {
    const Node& node = graph.nodes[index];
    for (uint32_t i = 0; i < node.args.count; ++i) resolve_arg(program.args[node.args.first + i]);
    for (ValueId id : result_values(program, node)) {
      if (id != kNone) define_value(id);
    }
  }
  what = 'o';
  for (index = 0; index < graph.outputs.size(); ++index) resolve_arg(graph.outputs[index].value);
  for (auto [value, name] : aliases) {
    what = graph.values[value].node == kNone ? 'i' : 'n';
    index = what == 'n' ? graph.values[value].node : 0;
    graph.values[value].alias = look_up(name);
  }
}

}  // namespace ersatz
