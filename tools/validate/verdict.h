// Verdicts on ops: counts and findings, and how the parts of a run are joined.
//
// A run is split into units of work. The verdict on a unit does not depend on the process that runs it, nor on the
// order of units. The report is the sum of the verdicts in the order of units. So the joined shards of a run give the
// report that one process would give.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fake/crosscheck/report.h"
#include "tools/output/exit_status.h"

namespace ersatz::tools {

struct ValidateFinding {
  Finding finding;
  std::string key;               ///< findings of one op with equal keys are merged
  std::string call;              ///< the smallest call that shows the finding
  std::string first;             ///< the first call that shows the finding, and how it was made
  std::vector<std::string> why;  ///< explanations of the finding
  int64_t calls = 0;             ///< number of calls that show the finding
  int64_t unit = 0, at = 0;      ///< the unit of the first call, and the call's number in that unit
  /// Place of the first call: the user's line, or the record's `run.jsonl:5`; empty for a sample.
  std::string place;
  bool of_many = false;  ///< only several calls together show the finding, so it cannot be shrunk
};

struct OpVerdict {
  int64_t samples = 0;  ///< number of calls that were made
  int64_t agreed = 0;   ///< of `samples`: all possible checks passed
  /// Part of `samples`: the fake and the real run refuse the call with equal messages.
  int64_t refused = 0;
  int64_t findings = 0;                      ///< of `samples`: calls with a finding
  std::map<std::string, int64_t> unchecked;  ///< reason -> number of calls for which a check was not possible
  /// Reason -> dtype, argument or error -> number of calls.
  std::map<std::string, std::map<std::string, int64_t>> about;
  /// Calls of a custom op that were not compared at all; if there are any, the run is not clean.
  int64_t unjudged = 0;
  bool of_plugin = false;                   ///< the op comes from a plugin
  bool is_foreign = false;                  ///< the op is not registered, and its calls were recorded
  std::map<std::string, std::string> gaps;  ///< name of a reason why calls were not made -> text of that reason
  std::vector<ValidateFinding> found;       ///< in the order of (unit, number)
  nlohmann::ordered_json inferred;          ///< the proposed rule (tools/validate/proposal.h); null: none was requested

  /// Adds a finding for an op that cannot be called.
  void refuse(const std::string& op, const std::string& why);
  /// True if the op is from a plugin and none of its calls was compared. False if `--dtype` and `--layout` leave out
  /// all its samples.
  bool is_unjudged_plugin_op() const;
  /// Returns the reason why most calls of a custom op were not compared; empty if there is none.
  std::string why_unjudged() const;
  /// Adds the counts of another verdict, without its findings.
  void add_counts(const OpVerdict& other);
  /// Adds the verdict on another unit of the same op.
  void add(const OpVerdict& other);
};

nlohmann::ordered_json to_json(const ValidateFinding& finding);
nlohmann::ordered_json to_json(const OpVerdict& verdict);
/// Parses a verdict. RAISES Error if a member is missing or has a wrong type.
OpVerdict verdict_from_json(const nlohmann::ordered_json& json);

/// Part i of the n parts of a run, counted from 1.
struct ShardNumber {
  int64_t i = 1, n = 1;
};
/// Parses `i/n`; nullopt if the text is malformed.
std::optional<ShardNumber> parse_shard(std::string_view text);

/// The report on a run, or on a shard of it.
struct ValidateReport {
  nlohmann::ordered_json run;  ///< options that define the run; equal in all its shards
  std::string shard;           ///< for example `2/4`; empty: the whole run
  int64_t units = 0;           ///< number of units in this run or shard
  std::map<std::string, OpVerdict> ops;

  OpVerdict total() const;
};

/// Returns counts of the calls of plugins' ops and of ops that are not registered. A plugin's op without any compared
/// call is unjudged, even if no call of it was made.
OwnCalls own_calls(const ValidateReport& report);
/// Returns why a report without findings is not clean (fake/crosscheck/not_clean.h); empty if it is clean.
std::string why_not_clean(const ValidateReport& report);
/// Returns Clean if there is no finding and `why_not_clean` is empty.
ExitStatus status_of(const ValidateReport& report);

/// Parses the JSON report of `ersatz validate` (validate_report). `file` is the name for errors.
ValidateReport validate_report_from_json(const std::string& text, const std::string& file);
/// Joins the shards of one run. RAISES InvalidArgument if they belong to different runs, or if one is repeated or
/// missing.
ValidateReport join(std::vector<ValidateReport> shards);

}  // namespace ersatz::tools
