// What was seen of ops: counts, what was found, and how the parts of a run are joined.
//
// A run is cut into units of work, whose verdicts do not depend on who works on them, in which order or beside whom;
// adding them up in the order of units gives the report. So the shards of a run join to what one process says.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fake/crosscheck/finding.h"
#include "tools/output/exit_status.h"

namespace ersatz::tools {

struct ValidateFinding {
  Finding finding;
  std::string key;               ///< findings of an op with equal ones are one
  std::string call;              ///< the smallest call that shows it
  std::string first;             ///< the first call that did, and what it was made of
  std::vector<std::string> why;  ///< in words
  int64_t calls = 0;             ///< that show it
  int64_t unit = 0, at = 0;      ///< of the first
  std::string place;             ///< of the first: the user's line, or the record's `run.jsonl:5`; a sample has none
  bool of_many = false;          ///< several calls show it together, and no smaller call can be searched for
};

struct OpVerdict {
  int64_t samples = 0;                       ///< calls that were made
  int64_t agreed = 0;                        ///< of them: all that could be checked agrees
  int64_t refused = 0;                       ///< of them: fake and real refuse in the same words
  int64_t findings = 0;                      ///< of them: with a finding
  std::map<std::string, int64_t> unchecked;  ///< reason -> calls of which something could not be checked for it
  std::map<std::string, std::map<std::string, int64_t>> about;  ///< reason -> dtype, argument or error -> calls
  int64_t unjudged = 0;  ///< calls of an op that nobody else judges, which say nothing: such a run is not clean
  std::map<std::string, std::string> gaps;  ///< reason -> in words: why calls were not made
  std::vector<ValidateFinding> found;       ///< in the order of (unit, at)
  nlohmann::ordered_json inferred;  ///< the proposal of a rule (tools/validate/proposal.h); null: none was asked

  /// The op cannot be called: a finding of which no call tells.
  void refuse(const std::string& op, const std::string& why);
  /// Of another unit of the same op.
  void add(const OpVerdict& other);
};

nlohmann::ordered_json to_json(const ValidateFinding& finding);
nlohmann::ordered_json to_json(const OpVerdict& verdict);
/// Raises Error where a member is missing or of another kind.
OpVerdict verdict_from_json(const nlohmann::ordered_json& json);

/// The i-th of n parts of a run, counted from 1.
struct ShardNumber {
  int64_t i = 1, n = 1;
};
/// Of `i/n`; empty: it is none.
std::optional<ShardNumber> parse_shard(std::string_view text);

/// A run or a shard of it.
struct ValidateReport {
  nlohmann::ordered_json run;  ///< what decides what a run is: two shards of one run have equal ones
  std::string shard;           ///< `2/4`; empty: the whole
  int64_t units = 0;           ///< that were worked on
  std::map<std::string, OpVerdict> ops;

  OpVerdict total() const;
};

/// Clean: something was compared, nothing found, and no call of an op of others left unjudged.
ExitStatus status_of(const ValidateReport& report);

/// Reads the JSON report of `ersatz validate` (validate_report); `file` is for errors.
ValidateReport validate_report_from_json(const std::string& text, const std::string& file);
/// The shards of one run, joined. Raises InvalidArgument: of different runs, one twice, one missing.
ValidateReport join(std::vector<ValidateReport> shards);

}  // namespace ersatz::tools
