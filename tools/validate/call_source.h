// The calls of a unit of work: from an op's samples, random, or recorded.
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
  /// The call as a spec, which can be shrunk; nullopt for a recorded call.
  virtual std::optional<CallSpec> spec(int64_t i) const = 0;
  /// Text of the call: its operator and arguments.
  virtual std::string spelled(int64_t i) const = 0;
  /// Text of how call `i` was made: `sample 2, permuted, f32, zeros`.
  virtual std::string origin(int64_t i) const = 0;
  /// The user's line that made call `i`, or the line of its record: `run.jsonl:5`. Empty for a sample.
  virtual std::string place(int64_t) const { return ""; }
  /// Reasons why there are fewer calls than expected: name -> text.
  virtual std::map<std::string, std::string> gaps() const { return {}; }
  /// True if the op's results are the items of one list.
  virtual bool returns_list() const { return false; }
  /// True for a custom op that is not registered. A call that is not compared here is not compared elsewhere.
  virtual bool is_foreign() const { return false; }
  /// Whether the op is of a plugin. A run that calls none of its samples is not clean.
  virtual bool is_of_plugin() const { return false; }
  /// Adds findings that need all calls of the op, after the last of them.
  virtual void conclude(OpVerdict&) const {}
};

/// `list` must outlive the source.
std::unique_ptr<CallSource> sweep_of(const OpEntry& op, const CallListOptions& list, Device device);
/// Random calls of the op with the numbers first, ..., first + count - 1.
std::unique_ptr<CallSource> random_calls_of(const OpEntry& op, uint64_t seed, int64_t first, int64_t count);

/// A line of a file of recorded calls.
struct RecordLine {
  CallRecord record;
  std::string text;
  std::string at;  ///< `FILE:LINE`
};
/// Recorded calls of the op, which are replayed with these options and compared with their records.
std::unique_ptr<CallSource> records_of(const OpEntry& op, std::vector<RecordLine> records, const RunOptions& options);
/// Recorded calls of an unregistered op: the recorded fake prediction is compared with the recorded run.
std::unique_ptr<CallSource> foreign_records_of(std::string op, std::vector<RecordLine> records);

}  // namespace ersatz::tools
