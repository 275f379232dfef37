// Validates ops: splits them into units of work, which several processes run, and joins the verdicts.
#pragma once

#include "tools/output/document.h"
#include "tools/validate/unit_run.h"

namespace ersatz::tools {

struct ValidateOptions {
  std::vector<const OpEntry*> ops;  ///< ops to call, with their samples or with random calls
  /// Op -> its recorded calls; if there are records, `ops` is empty.
  std::map<std::string, std::vector<RecordLine>> records;
  CallListOptions calls;
  UnitOptions unit;
  bool infer = false;  ///< also proposes a rule for each op
  int64_t fuzz = 0;    ///< number of random calls over all ops, which replace the samples; 0: samples are used
  int64_t shard = 1, shards = 1;
  int jobs = 0;  ///< number of processes; 0: one for each core
  /// PyTorch version to predict; nullopt: the version that a record names, else the newest.
  std::optional<TorchVersion> torch;
};

/// Returns the op whose rule and kernel replay recorded calls of `name`; null if no op of that name is registered.
const OpEntry* op_of_records(const std::string& name);

/// Runs the validation. REQUIRES: this process has run no kernel. RAISES Error if a worker process failed.
ValidateReport run_validate(const ValidateOptions& options);

/// Returns the report: findings first, then a verdict for each op, then sums. The keys `run`, `shard`, `units`, `ops`,
/// `findings` and `own` follow those of `envelope`. The status in `envelope` becomes `unjudged` if there is no finding
/// and the report is not clean.
Document validate_report(const ValidateReport& report, nlohmann::ordered_json envelope, bool whole);
/// Returns `validate: 9 ops, 5120 calls, 5000 agreed, 100 refused alike, 20 with findings, 0 unchecked`.
std::string closing_line(const ValidateReport& report);

}  // namespace ersatz::tools
