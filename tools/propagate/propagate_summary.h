// Several runs of one program or model together: a row for each point at which data decides, with what each run saw.
#pragma once

#include <string>
#include <vector>

#include "tools/propagate/propagate_run.h"

namespace ersatz::tools {

/// A size or number that data decides.
struct DataPoint {
  NodeId node = kNone;     ///< kNone: a call of a live model
  std::string name, op;    ///< of the node; a call of a live model has no name
  std::string reader;      ///< the op that read data: the node's, or a part of it; empty where no run came so far
  std::string symbol;      ///< of the record; empty where it has none
  std::string expression;  ///< in Python: what the symbol is, `nonzero.size(0)`, or what a live model calls the value
  std::string scope;       ///< of a live model: expressions of equal scopes may be compared
  std::optional<int64_t> dim;  ///< of a live model's call: which dim of its first result follows from data
  std::string at;              ///< the user's line
  std::string allowed;         ///< the symbol's bounds by the record; empty without a symbol
  std::vector<std::optional<int64_t>> values;  ///< of the symbol, by run
  std::vector<std::vector<SeenValue>> seen;    ///< what was read, by run; empty: not reached
  std::vector<std::string> dependents;         ///< nodes or calls that follow from it
  std::vector<std::string> outputs;            ///< outputs of the program among these and the point itself
  bool frozen = false;     ///< the symbol is declared, and no value of the program has it: it became a constant
  bool by_record = false;  ///< dependents are those that the record names; else all that is computed from the results

  bool is_live() const { return node == kNone; }
};

/// What a run read at a point whose symbol has no integer for it: numbers. The metadata of results only where no symbol
/// says which of their sizes counts.
std::span<const SeenValue> read_at(const DataPoint& point, size_t run);
/// `11, 9, 14: 9 to 14`: what the runs saw at a point, `-` where a run did not come so far.
std::string values_text(const DataPoint& point);

/// A range, or that two were equal in every run. What was seen, and no constraint.
struct SeenFact {
  std::string symbol;  ///< or the expression that stands for it
  std::string text;    ///< `u0 was 3 to 5`
};

/// A finding with the runs that have it, counted from 1.
struct SummedFinding {
  PropagateFinding finding;
  std::vector<int64_t> runs;
  bool made_up = false;  ///< rests on values that were made up, in each of these runs
};

struct PropagateSummary {
  std::vector<PropagateRun> runs;
  std::vector<DataPoint> points;
  std::vector<SeenFact> seen;
  std::vector<SummedFinding> findings;
  std::vector<std::string> remarks;
  std::optional<int64_t> all_nodes;  ///< of the program; none: a live model

  bool is_live() const { return !all_nodes; }
  /// No finding, or only those that rest on values that were made up.
  bool clean() const;
};

/// Fills `findings` and `remarks` with those of the runs, each once.
void sum_findings(PropagateSummary& sum);
/// Fills `seen` with what the runs show of the points together.
void sum_seen(PropagateSummary& sum);
PropagateSummary sum_up(const Program& program, const RecordSymbols& symbols, std::vector<PropagateRun> runs);

}  // namespace ersatz::tools
