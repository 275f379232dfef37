// `ersatz crosscheck` for a program: runs it with fake and with real tensors, and compares both.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fake/crosscheck/crosscheck.h"
#include "tools/program/fake_run.h"
#include "tools/program/finding_ancestry.h"
#include "tools/program/graph_neighbourhood.h"
#include "tools/program/program_input.h"
#include "tools/program/run_options.h"

namespace ersatz::tools {

struct CrosscheckRunOptions : RunOptions {
  CrosscheckRunOptions() = default;
  explicit CrosscheckRunOptions(const RunOptions& run) : RunOptions(run) {}

  bool descend = false;  ///< checks the parts of composite nodes on their own too (tools/program/descent.h)
  bool repros = true;    ///< each finding gets a one-call program that shows it (tools/output/repro.h)
  std::string inputs;    ///< `zeros`, `ones`, `random`, a file, or empty: the file next to the program, else random
  std::string expect;    ///< a file, `none`, or empty: the file next to the program
  std::string facts;     ///< a file, `none`, or empty: the file next to the program
  Waivers waivers;       ///< findings to waive; each row counts its uses
  Waivers known_wrong;   ///< names records that are known to be wrong
};

struct CrosscheckSummary {
  std::string program;               ///< path of the program
  std::vector<std::string> notes;    ///< notes for the report, for example on files next to the program that were used
  Counts missing;                    ///< unregistered operators: name -> number of nodes
  std::vector<std::string> plugins;  ///< plugins that the program names for missing operators
  Counts refused;                    ///< with keep_going: operator -> number of nodes that it refused
  std::vector<std::string> refusals;
  int64_t with_fact = 0;  ///< compared results that have a fact; other evidence may have decided the comparison
  Report report;
  std::vector<DownstreamDifference> inherited;  ///< results that differ only because of an earlier finding
  /// If requested: the graph around the first finding of each of the first causes.
  std::vector<GraphNeighbourhood> neighbourhoods;
  std::optional<Report> parts;                          ///< with `descend`: the report on the parts of composite nodes
  std::map<std::string, int64_t, std::less<>> symbols;  ///< values of the program's symbols in the real run
};

/// RAISES NotSupported if real tensors cannot be made on the device, because the module, the driver or the GPU is
/// missing.
void require_device(Device device);

/// Runs the program and compares. If ops are missing and keep_going is not set, nothing runs and only `missing` is
/// filled. RAISES Error for a program or file that cannot be used. The waivers in `options` count their uses.
CrosscheckSummary run_crosscheck(const std::string& path, CrosscheckRunOptions& options);
/// Runs and compares a program that is loaded already.
CrosscheckSummary run_crosscheck(const ProgramInput& input, CrosscheckRunOptions& options);

}  // namespace ersatz::tools
