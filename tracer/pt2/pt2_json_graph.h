// Parses the structure of the graph JSON: arguments, nodes, whole graphs.
#pragma once

#include "tracer/program/graph_builder.h"
#include "tracer/pt2/pt2_json_values.h"

namespace ersatz::pt2_json {

/// Reads one graph in parts, which may come in any order.
class GraphReader {
 public:
  /// `outer` is the reader of the graph around it.
  GraphReader(Program& program, Graph& graph, std::string place, const GraphReader* outer = nullptr)
      : program_(program), builder_(program, graph), place_(std::move(place)), outer_(outer) {}

  void node(const JsonView& v);
  void tensor_value(std::string_view name, const JsonView& v);
  /// Reads all parts except `nodes` and `tensor_values`, which the caller passes one by one, and then resolves names.
  /// `constants` has the names of constant inputs by position. An input without a name there is named by its position.
  void finish(const JsonView& graph, const std::vector<std::string>& constants = {});
  /// Reads a graph whose JSON is in memory as a whole: a nested graph.
  void whole(const JsonView& graph);

 private:
  Arg argument(const JsonView& v);
  Arg symbolic(const JsonView& v, std::string_view literal_tag);
  template <class F>
  Arg list_of(const JsonView& v, F&& item);
  Arg nested_graph(const JsonView& v);
  Arg graph_again(const JsonView& v);
  Arg result(const JsonView& v);
  void node_arguments(const JsonView& inputs, Node& node);
  void provenance(const JsonView& metadata, Node& node);
  void graph_input(const JsonView& v, std::string name_of_constant);
  void sym_values(const JsonView& graph, std::string_view key, ValueKind kind);
  void attach_records();

  Program& program_;
  GraphBuilder builder_;
  std::string place_;
  const GraphReader* outer_;
  std::unordered_map<NameId, uint32_t> metas_;
  std::unordered_map<NameId, std::string> aliases_;
  std::unordered_map<NameId, uint32_t> numbers_;
};

/// Returns the innermost user line in a stack trace, as `model.py:17 in forward: h = relu(self.up(x))`; empty if there
/// is none.
std::string source_line(std::string_view stack_trace);

}  // namespace ersatz::pt2_json
