// Sums up several runs of a program or model. Each point at which data decides a size or number has one row, with its
// values in each run.
#pragma once

#include <string>
#include <vector>

#include "tools/propagate/propagate_run.h"

namespace ersatz::tools {

/// A point at which data decides a size or a number.
struct DataPoint {
  NodeId node = kNone;   ///< kNone: the point is a call of a live model
  std::string name, op;  ///< name and op of the node; a live call has no name
  std::string reader;    ///< the op that read data: the node's, or a part's; empty if no run reached it
  std::string symbol;    ///< the recorded symbol; empty if there is none
  /// A Python expression for the symbol, like `nonzero.size(0)`, or a live model's name for the value.
  std::string expression;
  std::string scope;           ///< for a live model: only expressions with equal scopes can be compared
  std::optional<int64_t> dim;  ///< for a live call: the dim of its first result whose size depends on data
  std::string at;              ///< the user's source line
  std::string allowed;         ///< recorded bounds of the symbol; empty if there is no symbol
  std::vector<std::optional<int64_t>> values;  ///< for each run: the value of the symbol
  /// For each run: the values that were read; empty if the run did not reach the point.
  std::vector<std::vector<SeenValue>> seen;
  std::vector<std::string> dependents;  ///< nodes or calls that depend on the point
  /// Outputs of the program that are the point's results or depend on them.
  std::vector<std::string> outputs;
  /// The symbol is declared, but no value has it: the export made the number a constant.
  bool frozen = false;
  /// True if `dependents` were found by recorded symbols. Else they are all nodes computed from the point's results.
  bool by_record = false;

  bool is_live() const { return node == kNone; }
};

/// Returns the values that a run read at a point whose symbol has no integer value. If a symbol says which size depends
/// on data, metadata of results are left out.
std::span<const SeenValue> read_at(const DataPoint& point, size_t run);
/// Lists the values of all runs at a point: `11, 9, 14: 9 to 14`. A run that did not reach the point has `-`.
std::string values_text(const DataPoint& point);

/// A range or an equality that held in every run. The program need not satisfy it in other runs.
struct SeenFact {
  std::string symbol;  ///< the symbol, or the expression that replaces it
  std::string text;    ///< for example `u0 was 3 to 5`
};

/// A finding, and the numbers of the runs that had it, from 1.
struct SummedFinding {
  PropagateFinding finding;
  std::vector<int64_t> runs;
  bool synthetic = false;  ///< all of `runs` had synthetic values
};

struct PropagateSummary {
  std::vector<PropagateRun> runs;
  std::vector<DataPoint> points;
  std::vector<SeenFact> seen;
  std::vector<SummedFinding> findings;
  std::vector<std::string> remarks;
  std::optional<int64_t> all_nodes;  ///< number of nodes of the program; nullopt for a live model

  bool is_live() const { return !all_nodes; }
  /// True if there are no findings, or if all findings come from synthetic values.
  bool clean() const;
};

/// Merges findings and remarks of the runs into `sum.findings` and `sum.remarks`.
void sum_findings(PropagateSummary& sum);
/// Fills `sum.seen` with the ranges and equalities that held in all runs.
void sum_seen(PropagateSummary& sum);
PropagateSummary sum_up(const Program& program, const RecordSymbols& symbols, std::vector<PropagateRun> runs);

}  // namespace ersatz::tools
