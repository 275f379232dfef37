// Symbols in a program's recorded metadata for sizes and numbers that depend on data: the node that defines each
// symbol, and the nodes whose metadata depend on it.
//
// The exporter gives each of these sizes a symbol that no input has, like `u0`. A program that was written by hand may
// have no symbols. The dependents of a size are then all nodes computed from the results of the node that defines it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tracer/program/program.h"

namespace ersatz::tools {

struct RecordSymbol {
  std::string name;
  NodeId node = kNone;               ///< the first node that has the symbol in the recorded metadata of a result
  int64_t min = 0, max = INT64_MAX;  ///< the recorded range
  /// Python expression for the symbol over the node's results: `nonzero.size(0)`, `item`; empty: none.
  std::string expression;
  /// Later nodes with the symbol in the recorded metadata of their results or, if there are none, of their arguments.
  std::vector<NodeId> dependents;
};

/// A symbol that the program declares but no value has, because the export replaced the number by a constant.
/// torch.export.draft_export does that if it cannot decide a condition.
struct FrozenSymbol {
  std::string name;
  /// The node that the number was read from: its only result is a one-element tensor that no node uses.
  NodeId node = kNone;
};

class RecordSymbols {
 public:
  /// REQUIRES: the program outlives this object.
  explicit RecordSymbols(const Program& program);

  /// Returns the symbols that depend on data, in the order of their nodes.
  const std::vector<RecordSymbol>& symbols() const { return symbols_; }
  /// Returns the symbols that the export made constant, sorted by name. Empty if it is ambiguous from which nodes the
  /// export read their numbers.
  const std::vector<FrozenSymbol>& frozen() const { return frozen_; }
  const RecordSymbol* find(std::string_view name) const;
  /// The symbols that a node defines.
  std::vector<const RecordSymbol*> defined_by(NodeId node) const;
  /// Returns the symbols in the recorded metadata of a node's results, whether the node or an earlier one defines them.
  std::vector<std::string> of_results(NodeId node) const;
  /// Returns the names of the program's outputs that have the symbol in their recorded metadata.
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

/// Returns the node's name, or its operator if it has no name.
std::string node_label(const Program& program, NodeId node);
/// Returns the nodes that depend on a node's results, directly or indirectly, in order.
std::vector<NodeId> nodes_behind(const Program& program, NodeId node);
/// Returns the names of the program's outputs that these nodes compute.
std::vector<std::string> outputs_among(const Program& program, std::span<const NodeId> nodes);

}  // namespace ersatz::tools
