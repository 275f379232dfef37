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
  NodeId node = kNone;             ///< kNone: an input
  std::string name, op;            ///< of the node; of an input its name and `input`
  std::string at;                  ///< the user's line
  std::string message;             ///< what, without name and op
  std::vector<std::string> more;   ///< lines that explain it
  std::vector<std::string> takes;  ///< the tensors that the call takes, if that explains it
};

/// An op that read data at a node.
struct SeenRead {
  NodeId node = kNone;
  std::string op;  ///< the node's, or a part of it
  SeenValue value;
  std::string at;  ///< the user's line: inside of a nested graph that graph's
};

struct PropagateRun {
  std::string note;                             ///< what it ran on
  bool made_up = false;                         ///< on values that were made up, and nobody asked for
  int64_t nodes = 0;                            ///< that ran; of a live model the calls that it made
  std::vector<SeenRead> reads;                  ///< in order of the nodes
  std::vector<std::optional<int64_t>> symbols;  ///< value of each RecordSymbol; empty where it was not reached
  std::vector<PropagateFinding> findings;
  std::vector<std::string> remarks;      ///< Inf that somebody put there, and what else is no finding
  int64_t values_lost = 0, results = 0;  ///< tensor results without a value, tensor results
  std::optional<Error> stopped;
};

/// `[2, 20]`, `[0, inf]`: bounds as the text form writes them.
std::string range_text(int64_t min, int64_t max);

/// The message of a finding `stopped`.
inline constexpr const char* kRunEnded = "the run ended here";

/// NaN or Inf among the elements of what a call made.
struct MadeElements {
  bool nan = false;  ///< else Inf
  int64_t count = 0, elements = 0;
  std::string what;   ///< `its result`
  std::string first;  ///< the position of the first, `[0, 3]`
  bool from_inf = false;
};
/// `4 of 4 elements of its result are NaN, the first at [0]`.
std::string elements_text(const MadeElements& made);
/// The same, and what the call's inputs hold: what a finding says.
std::string origin_text(const MadeElements& made);

/// Calls of an operator that were asked for NaN or Inf by an argument: masks make one in each layer.
struct AskedSpecial {
  std::vector<std::string> calls;  ///< their names
  std::string text;                ///< elements_text of the first
};
/// What a remark about them says. `one`: of a call alone, which is `name` there.
std::string asked_text(bool nan, std::string_view op, const AskedSpecial& asked, std::string_view calls,
                       const std::string& one);

/// REQUIRES: no op of the program is missing, or options.keep_going.
PropagateRun run_propagate(const ProgramInput& program, const RecordSymbols& symbols, const InputSet& inputs,
                           const PropagateOptions& options);

}  // namespace ersatz::tools
