// One run of a program with fakes that carry real values (docs/real-values.md), and its events.
//
// Each event names its node. A call that cannot be made ends the run (`stopped`), with all events before it. A failed
// check of the program itself (a node without results that refuses a value) is a finding, and the run goes on.
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
  int64_t real_bytes = INT64_MAX;  ///< most bytes that real values may use
};

/// The kind of a finding.
enum class PropagateField : uint8_t {
  Nan,      ///< NaN made from values without NaN
  Inf,      ///< Inf made from finite values, without an argument that is Inf
  Lost,     ///< a real value was lost
  Size,     ///< a size or number is out of the recorded range
  Frozen,   ///< a number that depends on data is a constant in the program
  Check,    ///< a check of the program failed on the values
  Rule,     ///< rule and kernel disagree
  Stopped,  ///< a call could not be made with these values
};
std::string_view name(PropagateField f);  ///< `nan`, `inf`, `lost`, ...

struct PropagateFinding {
  PropagateField field = PropagateField::Nan;
  NodeId node = kNone;             ///< kNone: an input
  std::string name, op;            ///< of the node; for an input its name and `input`
  std::string at;                  ///< the user's line
  std::string message;             ///< the text without name and op
  std::vector<std::string> more;   ///< lines that explain it
  std::vector<std::string> takes;  ///< tensors that the call takes, if they explain the finding
};

/// A read of data at a node.
struct SeenRead {
  NodeId node = kNone;
  std::string op;  ///< the node's op, or the op of a part of it
  SeenValue value;
  std::string at;  ///< the user's line; inside a nested graph, that graph's line
};

struct PropagateRun {
  std::string note;                             ///< the values that it ran on
  bool synthetic = false;                       ///< on synthetic values that the user did not ask for
  int64_t nodes = 0;                            ///< nodes that ran; for a live model, the calls that it made
  std::vector<SeenRead> reads;                  ///< in node order
  std::vector<std::optional<int64_t>> symbols;  ///< value of each RecordSymbol; nullopt if not reached
  std::vector<PropagateFinding> findings;
  std::vector<std::string> remarks;      ///< Inf that an argument asks for, and other notes
  int64_t values_lost = 0, results = 0;  ///< tensor results without a value, and all tensor results
  std::optional<Error> stopped;
};

/// Bounds as in the text form: `[2, 20]`, `[0, inf]`.
std::string range_text(int64_t min, int64_t max);

/// The message of a `stopped` finding.
inline constexpr const char* kRunEnded = "the run ended here";

/// The NaN or Inf elements of a call's result, if its inputs have none of that kind.
struct MadeElements {
  bool nan = false;  ///< NaN, else Inf
  int64_t count = 0, elements = 0;
  std::string what;   ///< `its result`
  std::string first;  ///< position of the first, `[0, 3]`
  bool from_inf = false;
};
/// `4 of 4 elements of its result are NaN, the first at [0]`.
std::string elements_text(const MadeElements& made);
/// elements_text, and what the call's inputs contain; the message of a finding.
std::string origin_text(const MadeElements& made);

/// Calls of an operator with an argument that is NaN or Inf. Masks have one in each layer, for example.
struct AskedSpecial {
  std::vector<std::string> calls;  ///< names of the calls
  std::string text;                ///< elements_text of the first call
};
/// Text of a remark about these calls. `one`: the text for a single call.
std::string asked_text(bool nan, std::string_view op, const AskedSpecial& asked, std::string_view calls,
                       const std::string& one);

/// REQUIRES: no op of the program is missing, or options.keep_going.
PropagateRun run_propagate(const ProgramInput& program, const RecordSymbols& symbols, const InputSet& inputs,
                           const PropagateOptions& options);

}  // namespace ersatz::tools
