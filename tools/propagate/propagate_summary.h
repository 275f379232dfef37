// Sums up several runs of a program or model: a row for each point at which data decides, with the values of each run.
#pragma once

#include <string>
#include <vector>

#include "tools/propagate/propagate_run.h"

namespace ersatz::tools {

/// A size or number that data decides.
struct DataPoint {
  NodeId node = kNone;         ///< kNone: a call of a live model
  std::string name, op;        ///< of the node; a live call has no name
  std::string reader;          ///< the op that read data: the node's, or a part's; empty if no run got here
  std::string symbol;          ///< the recorded symbol; empty without one
  std::string expression;      ///< Python for the symbol, like `nonzero.size(0)`, or a live model's name for it
  std::string scope;           ///< for a live model: expressions in equal scopes can be compared
  std::optional<int64_t> dim;  ///< for a live call: the dim of its first result that depends on data
  std::string at;              ///< the user's line
  std::string allowed;         ///< recorded bounds of the symbol; empty without one
  std::vector<std::optional<int64_t>> values;  ///< of the symbol, for each run
  std::vector<std::vector<SeenValue>> seen;    ///< the values read, for each run; empty: not reached
  std::vector<std::string> dependents;         ///< nodes or calls that depend on it
  std::vector<std::string> outputs;            ///< outputs of the program among the dependents and the point
  bool frozen = false;                         ///< the symbol is declared but unused: the export made it a constant
  bool by_record = false;  ///< dependents are from the record; else all nodes computed from the results

  bool is_live() const { return node == kNone; }
};

/// The values that a run read at a point without an integer value for its symbol. Metadata of results are included only
/// if no symbol says which of their sizes depends on data.
std::span<const SeenValue> read_at(const DataPoint& point, size_t run);
/// The values of all runs at a point: `11, 9, 14: 9 to 14`. A run that did not get there has `-`.
std::string values_text(const DataPoint& point);

/// An observed range, or an equality in every run. It is no constraint.
struct SeenFact {
  std::string symbol;  ///< or the expression in its place
  std::string text;    ///< `u0 was 3 to 5`
};

/// A finding with the numbers of its runs, from 1.
struct SummedFinding {
  PropagateFinding finding;
  std::vector<int64_t> runs;
  bool synthetic = false;  ///< all of these runs had synthetic values
};

struct PropagateSummary {
  std::vector<PropagateRun> runs;
  std::vector<DataPoint> points;
  std::vector<SeenFact> seen;
  std::vector<SummedFinding> findings;
  std::vector<std::string> remarks;
  std::optional<int64_t> all_nodes;  ///< of the program; nullopt for a live model

  bool is_live() const { return !all_nodes; }
  /// True without findings, or if all findings are from synthetic values.
  bool clean() const;
};

/// Merges the findings and remarks of the runs into `findings` and `remarks`.
void sum_findings(PropagateSummary& sum);
/// Fills `seen` with relations that all runs show.
void sum_seen(PropagateSummary& sum);
PropagateSummary sum_up(const Program& program, const RecordSymbols& symbols, std::vector<PropagateRun> runs);

}  // namespace ersatz::tools
