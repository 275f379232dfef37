// What the record of a program says of sizes and numbers that depend on data: which node brings in which symbol, and
// whose metadata follow from it.
//
// The exporter names such a size by a symbol that no input has, `u0`. A program whose record has none (one written by
// hand) has points all the same: what depends on them is then what is computed from their results.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tracer/program/program.h"

namespace ersatz::tools {

struct RecordSymbol {
  std::string name;
  NodeId node = kNone;               ///< the first one with the symbol in the record of a result
  int64_t min = 0, max = INT64_MAX;  ///< by the record
  std::string expression;            ///< in Python, of the node's results: `nonzero.size(0)`, `item`; empty: none is it
  std::vector<NodeId> dependents;    ///< later nodes whose recorded results, or arguments where they have none, have it
};

/// A symbol that the record declares, and that no value of the program has: the export replaced the number by a
/// constant. torch.export.draft_export does this where it cannot decide.
struct FrozenSymbol {
  std::string name;
  NodeId node = kNone;  ///< whose only result, a number in a tensor, nobody uses: the number was read from it
};

class RecordSymbols {
 public:
  /// REQUIRES: the program outlives this.
  explicit RecordSymbols(const Program& program);

  /// Those that data decides, in the order of their nodes.
  const std::vector<RecordSymbol>& symbols() const { return symbols_; }
  /// In the order of their names. Empty where the nodes that they were read from cannot be told.
  const std::vector<FrozenSymbol>& frozen() const { return frozen_; }
  const RecordSymbol* find(std::string_view name) const;
  /// The symbols that a node brings in.
  std::vector<const RecordSymbol*> defined_by(NodeId node) const;
  /// The symbols in the record of a node's results, whoever brought them in.
  std::vector<std::string> of_results(NodeId node) const;
  /// Names of the program's outputs that have the symbol in their record.
  std::vector<std::string> outputs_with(const std::string& symbol) const;

 private:
  std::vector<std::string> of_value(const GraphValue& v) const;
  std::string expression_of(const std::string& symbol, NodeId node) const;
  void find_frozen();
  const Program& program_;
  std::map<std::string, const SymbolInfo*, std::less<>> known_;
  std::vector<SymbolInfo> infos_;
  std::vector<RecordSymbol> symbols_;
  std::vector<FrozenSymbol> frozen_;
};

/// The node's name; of one without, its operator.
std::string node_label(const Program& program, NodeId node);
/// The nodes that are computed from a node's results, directly or by way of others, in order.
std::vector<NodeId> nodes_behind(const Program& program, NodeId node);
/// Names of the program's outputs among the results of these nodes.
std::vector<std::string> outputs_among(const Program& program, std::span<const NodeId> nodes);

}  // namespace ersatz::tools
