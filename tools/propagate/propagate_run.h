// One run of a program with real values beside the fakes (docs/real-values.md), and what it met.
//
// Everything is told with the node at which it happened. A call that cannot be made ends the run (`stopped`), with all
// that came before it; a failed check of the program itself (a node without results that refuses a value) is a finding,
// and the run goes on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fake/mode/real_report.h"
#include "runtime/base/error.h"
#include "tools/program/run_options.h"
#include "tools/propagate/input_set.h"
#include "tools/propagate/record_symbols.h"

namespace ersatz::tools {

struct PropagateOptions : RunOptions {
  int64_t real_bytes = INT64_MAX;  ///< the most that real values may take
};

/// What a finding is about.
enum class PropagateField : uint8_t {
  Nan,      ///< NaN from values that have none
  Inf,      ///< Inf from finite values, and no argument says so
  Lost,     ///< a real value was lost
  Size,     ///< a size or number is not what the record allows
  Frozen,   ///< a number from data is a constant of the program
  Check,    ///< a check of the program failed on a value
  Rule,     ///< rule and kernel disagree
  Stopped,  ///< a call could not be made with these values
};
std::string_view name(PropagateField f);  ///< `nan`, `inf`, `lost`, ...

struct PropagateFinding {
  PropagateField field = PropagateField::Nan;
  NodeId node = kNone;            ///< kNone: an input
  std::string name, op;           ///< of the node; of an input its name and `input`
  std::string at;                 ///< the user's line
  std::string message;            ///< what, without name and op
  std::vector<std::string> more;  ///< lines that explain it
};

/// An op that read data at a node.
struct SeenRead {
  NodeId node = kNone;
  std::string op;     ///< the node's, or a part of it
  std::string value;  ///< the number, or the metadata of the results
  std::string at;     ///< the user's line: inside of a nested graph that graph's
};

struct PropagateRun {
  std::string note;                             ///< what it ran on
  bool made_up = false;                         ///< on values that were made up, and nobody asked for
  int64_t nodes = 0;                            ///< that ran
  std::vector<SeenRead> reads;                  ///< in order of the nodes
  std::vector<std::optional<int64_t>> symbols;  ///< value of each RecordSymbol; empty where it was not reached
  std::vector<PropagateFinding> findings;
  std::vector<std::string> remarks;      ///< Inf that somebody put there, and what else is no finding
  int64_t values_lost = 0, results = 0;  ///< tensor results without a value, tensor results
  std::optional<Error> stopped;
};

/// `[2, 20]`, `[0, inf]`: bounds as the text form writes them.
std::string range_text(int64_t min, int64_t max);

/// REQUIRES: no op of the program is missing, or options.keep_going.
PropagateRun run_propagate(const ProgramInput& program, const RecordSymbols& symbols, const InputSet& inputs,
                           const PropagateOptions& options);

}  // namespace ersatz::tools
