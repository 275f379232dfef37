// Where the calls of a unit of work come from: an op's samples, random numbers, or records.
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
  /// The call as a spec, which can be made smaller; empty for a recorded one.
  virtual std::optional<CallSpec> spec(int64_t i) const = 0;
  /// The call in words: its operator and arguments.
  virtual std::string spelled(int64_t i) const = 0;
  /// How call `i` came about: `sample 2, permuted, f32, zeros`.
  virtual std::string origin(int64_t i) const = 0;
  /// The user's line that made call `i`, else the line of its record: `run.jsonl:5`. A sample has none.
  virtual std::string place(int64_t) const { return ""; }
  /// Why there are fewer calls than one would expect; reason -> in words.
  virtual std::map<std::string, std::string> gaps() const { return {}; }
  /// The op's results are the items of one list.
  virtual bool returns_list() const { return false; }
  /// Nobody here has the op: what is not judged of it is not judged anywhere.
  virtual bool is_foreign() const { return false; }
  /// Whether the op is of a plugin. A run that calls none of its samples is not clean.
  virtual bool is_of_plugin() const { return false; }
  /// What all calls together say of what was found in them.
  virtual void conclude(OpVerdict&) const {}
};

/// `list`: see CallListOptions; it outlives the source.
std::unique_ptr<CallSource> sweep_of(const OpEntry& op, const CallListOptions& list, Device device);
/// Calls first, first + 1, ... first + count - 1 of the op's random ones.
std::unique_ptr<CallSource> random_calls_of(const OpEntry& op, uint64_t seed, int64_t first, int64_t count);

/// A line of a file of recorded calls.
struct RecordLine {
  CallRecord record;
  std::string text;
  std::string at;  ///< `FILE:LINE`
};
/// Recorded calls of the op, held against what their recorder saw.
std::unique_ptr<CallSource> records_of(const OpEntry& op, std::vector<RecordLine> records, Device device);
/// Recorded calls of an op that is not here: what their recorder's fake predicted, held against what the run did.
std::unique_ptr<CallSource> foreign_records_of(std::string op, std::vector<RecordLine> records);

}  // namespace ersatz::tools
