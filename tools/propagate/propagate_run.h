// Runs a program once with fakes that carry real values (docs/real-values.md), and collects its events.
//
// Each event names its node. If a call cannot be made, the run ends with the finding `stopped`; earlier events are
// kept. If a node without results refuses a value, a check of the program itself failed: that is a finding, and the run
// goes on.
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
  int64_t real_bytes = INT64_MAX;  ///< the most bytes that real values may use
};

/// The kind of a finding.
enum class PropagateField : uint8_t {
  Nan,      ///< a call made NaN from values without NaN
  Inf,      ///< a call made Inf from finite values, and no scalar argument is Inf
  Lost,     ///< the real value of a result is not known any more
  Size,     ///< a size or number is outside its recorded range
  Frozen,   ///< a number that depends on data is a constant in the program
  Check,    ///< a check in the program failed on the values
  Rule,     ///< an operator's rule and kernel disagree
  Stopped,  ///< a call could not be made with these values
};
std::string_view name(PropagateField f);  ///< `nan`, `inf`, `lost`, ...

struct PropagateFinding {
  PropagateField field = PropagateField::Nan;
  NodeId node = kNone;             ///< kNone: the finding is about an input
  std::string name, op;            ///< name and op of the node; for an input, its name and `input`
  std::string at;                  ///< the user's source line
  std::string message;             ///< the text without name and op
  std::vector<std::string> more;   ///< further lines that explain the finding
  std::vector<std::string> takes;  ///< tensor arguments of the call, if they explain the finding
};

/// A place at which a node reads data.
struct SeenRead {
  NodeId node = kNone;
  std::string op;  ///< the node's op, or the op of a part of the node
  SeenValue value;
  std::string at;  ///< the user's source line; inside a nested graph, the line of that graph
};

struct PropagateRun {
  std::string note;  ///< text for the report: which values the run had
  /// The values are synthetic, although the user did not ask for synthetic values.
  bool synthetic = false;
  int64_t nodes = 0;            ///< number of nodes that ran; for a live model, number of calls
  std::vector<SeenRead> reads;  ///< in node order
  /// Value of each RecordSymbol in this run; nullopt if the run did not reach its node.
  std::vector<std::optional<int64_t>> symbols;
  std::vector<PropagateFinding> findings;
  std::vector<std::string> remarks;      ///< remarks on NaN or Inf given as scalar argument, and other remarks
  int64_t values_lost = 0, results = 0;  ///< number of tensor results without a value, and of all tensor results
  std::optional<Error> stopped;
};

/// Returns the bounds in the spelling of the text form: `[2, 20]`, `[0, inf]`.
std::string range_text(int64_t min, int64_t max);

/// The message of a `stopped` finding.
inline constexpr const char* kRunEnded = "the run ended here";

/// The NaN or Inf elements in a call's result, if the call's inputs have no element of that kind.
struct MadeElements {
  bool nan = false;  ///< true: NaN; false: Inf
  int64_t count = 0, elements = 0;
  std::string what;   ///< text for the result, for example `its result`
  std::string first;  ///< position of the first NaN or Inf: `[0, 3]`
  bool from_inf = false;
};
/// Returns for example `4 of 4 elements of its result are NaN, the first at [0]`.
std::string elements_text(const MadeElements& made);
/// Returns the message of a finding: elements_text, and what the call's inputs contain.
std::string origin_text(const MadeElements& made);

/// Calls of an operator that have NaN or Inf as scalar argument. For example, a model may fill a mask with -Inf in each
/// layer.
struct AskedSpecial {
  std::vector<std::string> calls;  ///< names of the calls
  std::string text;                ///< elements_text for the first call
};
/// Returns the remark about the calls in `asked`. `calls` is the word for several calls, `one` the text for a single
/// call.
std::string asked_text(bool nan, std::string_view op, const AskedSpecial& asked, std::string_view calls,
                       const std::string& one);

/// Runs the program on `inputs`. REQUIRES: no op of the program is missing, or options.keep_going is set.
PropagateRun run_propagate(const ProgramInput& program, const RecordSymbols& symbols, const InputSet& inputs,
                           const PropagateOptions& options);

}  // namespace ersatz::tools
