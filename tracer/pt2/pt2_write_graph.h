// Writes the structure of the graph JSON, which pt2_json_graph.h reads.
#pragma once

#include <unordered_set>

#include "runtime/op/schema.h"
#include "tracer/pt2/pt2_write_values.h"

namespace ersatz::pt2_text {

/// Writes a program's graphs. Raises NotSupported with the node and the part that the format cannot express.
class GraphWriter {
 public:
  explicit GraphWriter(const Program& program);

  /// Returns the main graph with all nested graphs.
  std::string main();
  /// Returns an argument of a graph's output or of its signature.
  std::string argument(const Graph& g, const Arg& a, const Argument* formal = nullptr);
  std::string input(const Graph& g, const GraphInput& in);
  /// Returns the value of a constant input: `{"as_int": 3}`.
  std::string constant(const GraphValue& v);

  const ValueWriter& values() const { return values_; }
  /// Returns a graph that no node uses, 0 if there is none.
  uint32_t unused_graph() const;

 private:
  std::string graph(const Graph& g);
  /// Names of nodes and values of one graph, which PyTorch keeps in one namespace.
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
  std::vector<FunctionSchema> foreign_;  ///< the program's foreign schemas
  enum class Written : uint8_t { No, Open, Done };
  std::vector<Written> written_;  ///< by graph
  int repeats_ = 0;               ///< number of graphs that were written again
};

}  // namespace ersatz::pt2_text
