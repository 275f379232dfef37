// A program run fake and for real side by side: what `ersatz crosscheck` reports.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fake/crosscheck/crosscheck.h"
#include "tools/program/fake_run.h"
#include "tools/program/origins.h"
#include "tools/program/program_input.h"
#include "tools/program/run_options.h"
#include "tools/program/surroundings.h"

namespace ersatz::tools {

struct CrosscheckRunOptions : RunOptions {
  CrosscheckRunOptions() = default;
  explicit CrosscheckRunOptions(const RunOptions& run) : RunOptions(run) {}

  bool descend = false;  ///< the parts of composite nodes are checked too (tools/program/descent.h)
  bool repros = true;    ///< each finding comes with a one-call program (tools/output/repro.h)
  std::string inputs;    ///< `zeros`, `ones`, `random`, a file, or empty: what lies beside the program, else random
  std::string expect;    ///< a file, `none`, or empty: what lies beside the program
  std::string facts;     ///< likewise
  Waivers waivers;       ///< findings that have a reason
  Waivers known_wrong;   ///< records that are known to be wrong
};

struct CrosscheckSummary {
  std::string program;               ///< path
  std::vector<std::string> notes;    ///< what was used beside it, for people
  Counts missing;                    ///< op -> nodes, of operators that are not registered
  std::vector<std::string> plugins;  ///< that the program names for them
  Counts refused;                    ///< op -> nodes that a known op refused (keep_going only)
  std::vector<std::string> refusals;
  int64_t with_fact = 0;  ///< compared results of which there is a fact, whichever witness judged them
  Report report;
  std::vector<Inherited> inherited;       ///< results that differ only through a finding upstream
  std::vector<Surrounding> surroundings;  ///< of the first findings of the first causes, where they were asked for
  std::optional<Report> parts;            ///< of composite nodes; with `descend`
  std::map<std::string, int64_t, std::less<>> symbols;  ///< values that the real run gave the program's symbols
};

/// Raises NotSupported where real tensors cannot be on the device: no module, no driver, no such GPU.
void require_device(Device device);

/// Missing ops without keep_going: only `missing` is filled and nothing runs. Errors of the program and its files pass
/// as Error. The options' waivers count their uses.
CrosscheckSummary run_crosscheck(const std::string& path, CrosscheckRunOptions& options);
/// The same for a program that has been loaded.
CrosscheckSummary run_crosscheck(const ProgramInput& input, CrosscheckRunOptions& options);

}  // namespace ersatz::tools
