// Symbols in a program's record for sizes and numbers that depend on data: the node that defines each, and the nodes
// whose metadata depend on it.
//
// The exporter gives each of these sizes a symbol that no input has, like `u0`. A program without symbols (for example,
// written by hand) has points too. Their dependents are then all nodes computed from their results.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tracer/program/program.h"

namespace ersatz::tools {

struct RecordSymbol {
  std::string name;
  NodeId node = kNone;               ///< the first node with the symbol in a result's record
  int64_t min = 0, max = INT64_MAX;  ///< the recorded range
  std::string expression;            ///< Python for it over the node's results: `nonzero.size(0)`, `item`; empty: none
  std::vector<NodeId> dependents;    ///< later nodes with it in their results' records, or else their arguments'
};

/// A symbol that the record declares and no value of the program has: the export replaced the number by a constant.
/// torch.export.draft_export does this if it cannot decide a condition.
struct FrozenSymbol {
  std::string name;
  NodeId node = kNone;  ///< the number was read from this node: its only result is a one-element tensor that no node
                        ///< uses
};

class RecordSymbols {
 public:
  /// REQUIRES: the program outlives this.
  explicit RecordSymbols(const Program& program);

  /// Symbols that depend on data, in node order.
  const std::vector<RecordSymbol>& symbols() const { return symbols_; }
  /// Ordered by name. Empty if the nodes that the numbers were read from are ambiguous.
  const std::vector<FrozenSymbol>& frozen() const { return frozen_; }
  const RecordSymbol* find(std::string_view name) const;
  /// The symbols that a node defines.
  std::vector<const RecordSymbol*> defined_by(NodeId node) const;
  /// The symbols in the record of a node's results, defined there or earlier.
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

/// The node's name, or its operator if it has none.
std::string node_label(const Program& program, NodeId node);
/// The nodes that depend on a node's results, directly or not, in order.
std::vector<NodeId> nodes_behind(const Program& program, NodeId node);
/// Names of the program's outputs among the results of these nodes.
std::vector<std::string> outputs_among(const Program& program, std::span<const NodeId> nodes);

}  // namespace ersatz::tools
