#include "tools/propagate/record_symbols.h"

#include <algorithm>
#include <set>

#include "runtime/tensor/meta_text.h"

namespace ersatz::tools {

namespace {

/// Returns the nodes whose only result is a one-element tensor that no node uses and the program does not return.
std::vector<NodeId> unused_numbers(const Program& program) {
  const Graph& graph = program.main();
  std::vector<bool> used(graph.values.size(), false);
  for (const Node& n : graph.nodes) {
    for (const ValueId v : argument_values(program, n)) used[v] = true;
  }
  for (const GraphOutput& o : graph.outputs) {
    if (o.value.kind == Arg::Kind::Value) used[o.value.index] = true;
  }
  std::vector<NodeId> found;
  for (NodeId id = 0; id < graph.nodes.size(); ++id) {
    const std::vector<ValueId> results = result_values(program, graph.nodes[id]);
    if (results.size() != 1 || results[0] == kNone || used[results[0]]) continue;
    const TensorMeta* meta = program.meta(graph.values[results[0]]);
    if (meta && meta->numel().is_identical(1)) found.push_back(id);
  }
  return found;
}

}  // namespace

RecordSymbols::RecordSymbols(const Program& program) : program_(program), infos_(program.env->symbols()) {
  if (infos_.empty()) return;
  for (const SymbolInfo& info : infos_) known_.emplace(info.name, &info);
  const Graph& graph = program.main();
  std::set<std::string, std::less<>> by_inputs;
  for (const GraphInput& in : graph.inputs) {
    for (const std::string& name : of_value(graph.values[in.value])) by_inputs.insert(name);
  }
  std::map<std::string, size_t, std::less<>> places;
  for (NodeId id = 0; id < graph.nodes.size(); ++id) {
    std::vector<std::string> names = of_results(id);
    if (result_values(program, graph.nodes[id]).empty()) {
      for (const ValueId v : argument_values(program, graph.nodes[id])) {
        for (std::string& name : of_value(graph.values[v])) names.push_back(std::move(name));
      }
    }
    for (const std::string& name : names) {
      if (by_inputs.contains(name)) continue;
      const auto [place, fresh] = places.try_emplace(name, symbols_.size());
      if (fresh) {
        const SymbolInfo& info = *known_.find(name)->second;
        symbols_.push_back({name, id, info.min, info.max, expression_of(name, id), {}});
      } else if (RecordSymbol& s = symbols_[place->second]; s.node != id) {
        if (s.dependents.empty() || s.dependents.back() != id) s.dependents.push_back(id);
      }
    }
  }
  find_frozen();
}

void RecordSymbols::find_frozen() {
  std::set<std::string, std::less<>> used;
  for (const std::unique_ptr<Graph>& graph : program_.graphs) {
    for (const GraphValue& v : graph->values) {
      for (std::string& name : of_value(v)) used.insert(std::move(name));
    }
  }
  for (const SymbolInfo& info : infos_) {
    if (!info.hint && !used.contains(info.name)) frozen_.push_back({info.name});
  }
  const std::vector<NodeId> unread = frozen_.empty() ? std::vector<NodeId>() : unused_numbers(program_);
  if (unread.size() != frozen_.size()) return frozen_.clear();
  for (size_t i = 0; i < unread.size(); ++i) frozen_[i].node = unread[i];
}

const RecordSymbol* RecordSymbols::find(std::string_view name) const {
  for (const RecordSymbol& s : symbols_) {
    if (s.name == name) return &s;
  }
  return nullptr;
}

std::vector<const RecordSymbol*> RecordSymbols::defined_by(NodeId node) const {
  std::vector<const RecordSymbol*> found;
  for (const RecordSymbol& s : symbols_) {
    if (s.node == node) found.push_back(&s);
  }
  return found;
}

std::vector<std::string> RecordSymbols::of_results(NodeId node) const {
  std::vector<std::string> names;
  if (known_.empty()) return names;
  for (const ValueId id : result_values(program_, program_.main().nodes[node])) {
    if (id == kNone) continue;
    for (std::string& name : of_value(program_.main().values[id])) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
  }
  return names;
}

std::vector<std::string> RecordSymbols::outputs_with(const std::string& symbol) const {
  const Graph& graph = program_.main();
  std::vector<std::string> names;
  for (const GraphOutput& o : graph.outputs) {
    if (o.value.kind != Arg::Kind::Value) continue;
    const GraphValue& v = graph.values[o.value.index];
    const std::vector<std::string> symbols = of_value(v);
    if (std::find(symbols.begin(), symbols.end(), symbol) != symbols.end()) names.emplace_back(program_.name(v.name));
  }
  return names;
}

/// Returns a Python expression for a result of the node, or for a size of a result, that equals the symbol.
std::string RecordSymbols::expression_of(const std::string& symbol, NodeId node) const {
  for (const ValueId id : result_values(program_, program_.main().nodes[node])) {
    if (id == kNone) continue;
    const GraphValue& v = program_.main().values[id];
    const std::string_view value = program_.name(v.name);
    const TensorMeta* meta = program_.meta(v);
    if (!meta && v.record != kNone && to_string(program_.literals[v.record]) == symbol) return std::string(value);
    for (size_t d = 0; meta && d < meta->sizes.size(); ++d) {
      if (to_string(meta->sizes[d]) == symbol) return fmt::format("{}.size({})", value, d);
    }
  }
  return "";
}

/// Returns the names of the symbols in the recorded metadata of a value.
std::vector<std::string> RecordSymbols::of_value(const GraphValue& v) const {
  std::vector<std::string> names;
  std::string text;
  if (const TensorMeta* meta = program_.meta(v)) {
    if (!meta->is_symbolic()) return names;
    text = to_string(*meta);
  } else if (v.record != kNone && v.kind != ValueKind::Object) {
    text = to_string(program_.literals[v.record]);
  }
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t i = 0; i < text.size(); ++i) {
    if (!is_word(text[i])) continue;
    size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (const auto word = text.substr(i, end - i); known_.contains(word)) names.push_back(word);
    i = end;
  }
  return names;
}

std::string node_label(const Program& program, NodeId node) {
  const Node& n = program.main().nodes[node];
  return std::string(program.name(n.name ? n.name : program.op(n).name));
}

std::vector<NodeId> nodes_behind(const Program& program, NodeId node) {
  const Graph& graph = program.main();
  std::vector<bool> reached(graph.values.size(), false);
  const auto reach = [&](const Node& n) {
    for (const ValueId id : result_values(program, n)) {
      if (id != kNone) reached[id] = true;
    }
  };
  reach(graph.nodes[node]);
  std::vector<NodeId> found;
  for (NodeId id = node + 1; id < graph.nodes.size(); ++id) {
    const std::vector<ValueId> uses = argument_values(program, graph.nodes[id]);
    if (std::none_of(uses.begin(), uses.end(), [&](ValueId v) { return reached[v]; })) continue;
    found.push_back(id);
    reach(graph.nodes[id]);
  }
  return found;
}

std::vector<std::string> outputs_among(const Program& program, std::span<const NodeId> nodes) {
  const Graph& graph = program.main();
  std::vector<std::string> names;
  for (const GraphOutput& o : graph.outputs) {
    if (o.value.kind != Arg::Kind::Value) continue;
    const GraphValue& v = graph.values[o.value.index];
    if (v.node == kNone || !std::binary_search(nodes.begin(), nodes.end(), v.node)) continue;
    names.emplace_back(program.name(v.name));
  }
  return names;
}

}  // namespace ersatz::tools
