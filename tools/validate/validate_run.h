// A run over ops: cut into units of work, units worked on by several processes, verdicts joined.
#pragma once

#include "tools/output/document.h"
#include "tools/validate/unit_run.h"

namespace ersatz::tools {

struct ValidateOptions {
  std::vector<const OpEntry*> ops;                         ///< of samples and random calls
  std::map<std::string, std::vector<RecordLine>> records;  ///< by op; then there are no `ops`
  CallListOptions calls;
  UnitOptions unit;
  bool infer = false;  ///< a rule is proposed for each op
  int64_t fuzz = 0;    ///< random calls in place of the samples, over all ops
  int64_t shard = 1, shards = 1;
  int jobs = 0;  ///< processes; 0: one a core
};

/// REQUIRES: this process has not computed. Raises Error where a worker could not work.
ValidateReport run_validate(const ValidateOptions& options);

/// Lines say what was found first, then a verdict an op, then sums. Keys: `run`, `shard`, `units`, `ops`, `findings`.
Document validate_report(const ValidateReport& report, bool whole);
/// `validate: 9 ops, 5120 calls, 5000 agreed, 100 refused alike, 20 with findings, 0 unchecked`.
std::string closing_line(const ValidateReport& report);

}  // namespace ersatz::tools
