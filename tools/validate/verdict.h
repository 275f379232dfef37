// Verdicts on ops: counts and findings, and how the parts of a run are joined.
//
// A run is split into units of work. The verdict on a unit does not depend on the process or the order. Added up in the
// order of units, the verdicts give the report. So the joined shards of a run give the report of one process.
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
  std::string key;               ///< findings of an op with equal keys are merged
  std::string call;              ///< the smallest call that shows it
  std::string first;             ///< the first call that shows it, and how it was made
  std::vector<std::string> why;  ///< explanations
  int64_t calls = 0;             ///< calls that show it
  int64_t unit = 0, at = 0;      ///< unit and number of the first call
  std::string place;     ///< of the first call: the user's line, or the record's `run.jsonl:5`; empty for a sample
  bool of_many = false;  ///< only several calls together show it, so it cannot be shrunk
};

struct OpVerdict {
  int64_t samples = 0;                       ///< calls that were made
  int64_t agreed = 0;                        ///< of `samples`: all possible checks passed
  int64_t refused = 0;                       ///< of `samples`: fake and real refuse with equal messages
  int64_t findings = 0;                      ///< of `samples`: with a finding
  std::map<std::string, int64_t> unchecked;  ///< reason -> calls with a check that was not possible
  std::map<std::string, std::map<std::string, int64_t>> about;  ///< reason -> dtype, argument or error -> calls
  int64_t unjudged = 0;     ///< calls of a custom op without any comparison; they keep the run from being clean
  bool of_plugin = false;   ///< the op is from a plugin
  bool is_foreign = false;  ///< the op is not registered; its calls were recorded
  std::map<std::string, std::string> gaps;  ///< reason why calls were not made -> text
  std::vector<ValidateFinding> found;       ///< in the order of (unit, at)
  nlohmann::ordered_json inferred;          ///< the proposed rule (tools/validate/proposal.h); null: not requested

  /// Adds a finding for an op that cannot be called.
  void refuse(const std::string& op, const std::string& why);
  /// Returns whether the op is from a plugin and no call of it was compared. Ops whose samples --dtype and --layout
  /// leave out do not count.
  bool is_unjudged_plugin_op() const;
  /// Returns the reason that most calls of a custom op were not compared for; empty if there is none.
  std::string why_unjudged() const;
  /// Adds the counts of another verdict, and not its findings.
  void add_counts(const OpVerdict& other);
  /// Adds the verdict on another unit of the op.
  void add(const OpVerdict& other);
};

nlohmann::ordered_json to_json(const ValidateFinding& finding);
nlohmann::ordered_json to_json(const OpVerdict& verdict);
/// RAISES Error if a member is missing or has another type.
OpVerdict verdict_from_json(const nlohmann::ordered_json& json);

/// Part i of n of a run, from 1.
struct ShardNumber {
  int64_t i = 1, n = 1;
};
/// Parses `i/n`; nullopt if it is malformed.
std::optional<ShardNumber> parse_shard(std::string_view text);

/// A run or a shard of it.
struct ValidateReport {
  nlohmann::ordered_json run;  ///< options that define the run; equal for all its shards
  std::string shard;           ///< `2/4`; empty: the whole run
  int64_t units = 0;           ///< units of this run or shard
  std::map<std::string, OpVerdict> ops;

  OpVerdict total() const;
};

/// The calls of plugins' ops and of ops that are not registered. An op of a plugin without any compared call is
/// unjudged, even if no call of it was made.
OwnCalls own_calls(const ValidateReport& report);
/// Returns why a report without findings is not clean (fake/crosscheck/not_clean.h); empty if it is clean.
std::string why_not_clean(const ValidateReport& report);
/// Clean if there is no finding and `why_not_clean` is empty.
ExitStatus status_of(const ValidateReport& report);

/// Parses the JSON report of `ersatz validate` (validate_report); `file` is named in errors.
ValidateReport validate_report_from_json(const std::string& text, const std::string& file);
/// Joins the shards of one run. RAISES InvalidArgument if they are of different runs, or if one is repeated or missing.
ValidateReport join(std::vector<ValidateReport> shards);

}  // namespace ersatz::tools
