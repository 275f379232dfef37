#include "tracer/program/graph_builder.h"

namespace ersatz {

Arg GraphBuilder::named_value(std::string_view name) { return {0, Arg::Kind::Value, program_.names.intern(name)}; }

Arg GraphBuilder::define(std::string_view name, ValueKind kind, uint32_t record) {
  GraphValue v;
  v.name = program_.names.intern(name);
  v.kind = kind;
  v.record = record;
  return {0, Arg::Kind::Value, program_.add_value(graph_, v)};
}

void GraphBuilder::set_alias(ValueId value, std::string_view name) {
  aliases_.emplace_back(value, program_.names.intern(name));
}

void GraphBuilder::define_value(ValueId id) {
  GraphValue& v = graph_.values[id];
  if (v.name == 0) (*refuse_)(what_, index_, "a value without a name");
  v.node = what_ == 'n' ? static_cast<NodeId>(index_) : kNone;
  if (!defined_.emplace(v.name, id).second) {
    (*refuse_)(what_, index_, fmt::format("a second value is named %{}", program_.name(v.name)));
  }
}

ValueId GraphBuilder::look_up(NameId name) {
  auto found = defined_.find(name);
  if (found == defined_.end()) {
    (*refuse_)(what_, index_, fmt::format("no value before this is named %{}", program_.name(name)));
    raise_internal_error(__FILE__, __LINE__, "throws", "refuse() came back");
  }
  return found->second;
}

void GraphBuilder::resolve_arg(Arg& arg) {
  if (arg.kind == Arg::Kind::Value) {
    arg.index = look_up(arg.index);
  } else if (arg.kind == Arg::Kind::List || arg.kind == Arg::Kind::Dict) {
    const ArgRange items = program_.lists[arg.index];
    for (uint32_t i = 0; i < items.count; ++i) resolve_arg(program_.args[items.first + i]);
  }
}

void GraphBuilder::resolve(const Refuse& refuse) {
  refuse_ = &refuse;
  defined_.reserve(graph_.values.size());
  what_ = 'i';
  for (index_ = 0; index_ < graph_.inputs.size(); ++index_) define_value(graph_.inputs[index_].value);
  what_ = 'n';
  for (index_ = 0; index_ < graph_.nodes.size(); ++index_) {
    const Node& node = graph_.nodes[index_];
    for (uint32_t i = 0; i < node.args.count; ++i) resolve_arg(program_.args[node.args.first + i]);
    for (ValueId id : result_values(program_, node)) {
      if (id != kNone) define_value(id);
    }
  }
  what_ = 'o';
  for (index_ = 0; index_ < graph_.outputs.size(); ++index_) resolve_arg(graph_.outputs[index_].value);
  for (auto [value, name] : aliases_) {
    what_ = graph_.values[value].node == kNone ? 'i' : 'n';
    index_ = what_ == 'n' ? graph_.values[value].node : 0;
    graph_.values[value].alias = look_up(name);
  }
}

}  // namespace ersatz
