// Several runs of one program, put together: a row for each point at which data decides, with what each run saw there.
#pragma once

#include <string>
#include <vector>

#include "tools/propagate/propagate_run.h"

namespace ersatz::tools {

/// A size or number that data decides.
struct DataPoint {
  NodeId node = kNone;
  std::string name, op;    ///< of the node
  std::string reader;      ///< the op that read data: the node's, or a part of it; empty where no run came so far
  std::string symbol;      ///< of the record; empty where it has none
  std::string expression;  ///< what the symbol is, in Python: `nonzero.size(0)`; empty where no result is just that
  std::string at;          ///< the user's line
  std::string allowed;     ///< the symbol's bounds by the record; empty without a symbol
  std::vector<std::optional<int64_t>> values;  ///< of the symbol, by run
  std::vector<std::string> seen;               ///< what was read, by run: a number, or metadata; empty: not reached
  std::vector<std::string> dependents;         ///< nodes whose metadata follow from it
  std::vector<std::string> outputs;            ///< outputs of the program among these and the point itself
  bool frozen = false;     ///< the symbol is declared, and no value of the program has it: it became a constant
  bool by_record = false;  ///< dependents are those that the record names; else all that is computed from the results
};

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
  int64_t all_nodes = 0;
};

PropagateSummary sum_up(const Program& program, const RecordSymbols& symbols, std::vector<PropagateRun> runs);

}  // namespace ersatz::tools
