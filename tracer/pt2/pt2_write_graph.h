// Writes the structure of the graph JSON; pt2_json_graph.h parses it.
#pragma once

#include <unordered_set>

#include "runtime/op/schema.h"
#include "tracer/pt2/pt2_write_values.h"

namespace ersatz::pt2_text {

/// Writes a program's graphs. RAISES NotSupported, with the node, for a part that the format cannot express.
class GraphWriter {
 public:
  explicit GraphWriter(const Program& program);

  /// Returns the JSON of the main graph with all nested graphs.
  std::string main();
  /// Returns the JSON of an argument of the graph's output or of the signature.
  std::string argument(const Graph& g, const Arg& a, const Argument* formal = nullptr);
  std::string input(const Graph& g, const GraphInput& in);
  /// Returns the JSON of a constant input's value: `{"as_int": 3}`.
  std::string constant(const GraphValue& v);

  const ValueWriter& values() const { return values_; }
  /// Returns the number of a graph that no node uses; 0 if every graph is used.
  uint32_t unused_graph() const;

 private:
  std::string graph(const Graph& g);
  /// Names of nodes and values of one graph. PyTorch has one namespace for both.
  using Names = std::unordered_set<std::string>;
  std::string node(const Graph& g, const Node& n, Names& taken);
  std::string node_inputs(const Graph& g, const Node& n);
  std::string metadata(const Node& n, bool renamed);
  std::string results(const Graph& g, const Node& n);
  std::string value(const Graph& g, ValueId id);
  std::string record(const Graph& g, const GraphValue& v);
  std::string literal(const Value& v, const Argument* formal);
  std::string literal_list(std::span<const Value> items);
  std::string value_list(const Graph& g, std::span<const Arg> items);
  std::string nested(uint32_t index);
  std::string formal_name(const ProgramOp& op, size_t place) const;

  const Program& p_;
  ValueWriter values_;
  std::vector<FunctionSchema> foreign_;  ///< the parsed schemas of the program's foreign ops
  enum class Written : uint8_t { No, Open, Done };
  std::vector<Written> written_;  ///< indexed by graph
  int repeats_ = 0;               ///< number of graphs that were written more than once
};

}  // namespace ersatz::pt2_text
