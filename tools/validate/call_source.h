// The calls of a unit of work. They are made from an op's samples, made at random, or read from records.
#pragma once

#include <memory>

#include "tools/calls/replay.h"
#include "tools/validate/call_list.h"
#include "tools/validate/judged_call.h"
#include "tools/validate/verdict.h"

namespace ersatz::tools {

class CallSource {
 public:
  virtual ~CallSource() = default;
  virtual const std::string& op() const = 0;
  virtual int64_t size() const = 0;
  virtual JudgedCall judge(int64_t i, CallJudge& judge) const = 0;
  /// Returns call i as a spec, which can be shrunk; nullopt for a recorded call.
  virtual std::optional<CallSpec> spec(int64_t i) const = 0;
  /// Returns the text of call i: its operator and arguments.
  virtual std::string spelled(int64_t i) const = 0;
  /// Returns a text on how call i was made: `sample 2, permuted, f32, zeros`.
  virtual std::string origin(int64_t i) const = 0;
  /// Returns the user's line that made the call, or the line of its record: `run.jsonl:5`. Empty for a sample.
  virtual std::string place(int64_t) const { return ""; }
  /// Returns reasons why there are fewer calls than expected: name -> text.
  virtual std::map<std::string, std::string> gaps() const { return {}; }
  /// True if the op returns one list, whose items are the results.
  virtual bool returns_list() const { return false; }
  /// True for a custom op that is not registered. No other code compares its calls.
  virtual bool is_foreign() const { return false; }
  /// True if a plugin has the op. A run is not clean if it makes no call of the op.
  virtual bool is_of_plugin() const { return false; }
  /// Adds findings that need all calls of the op. It is called after the last call.
  virtual void conclude(OpVerdict&) const {}
};

/// Makes the calls from the op's samples. REQUIRES: `list` outlives the result.
std::unique_ptr<CallSource> sweep_of(const OpEntry& op, const CallListOptions& list, Device device);
/// Makes random calls of the op, with the numbers first, ..., first + count - 1.
std::unique_ptr<CallSource> random_calls_of(const OpEntry& op, uint64_t seed, int64_t first, int64_t count);

/// A line of a file of recorded calls.
struct RecordLine {
  CallRecord record;
  std::string text;
  std::string at;  ///< `FILE:LINE`
};
/// Recorded calls of the op. They are replayed with these options and compared with their records.
std::unique_ptr<CallSource> records_of(const OpEntry& op, std::vector<RecordLine> records, const RunOptions& options);
/// Recorded calls of an op that is not registered. The recorded fake prediction is compared with the recorded run.
std::unique_ptr<CallSource> foreign_records_of(std::string op, std::vector<RecordLine> records);

}  // namespace ersatz::tools
