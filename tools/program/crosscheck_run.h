// `ersatz crosscheck` for a program: runs it fake and for real, and compares both.
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

  bool descend = false;  ///< checks the parts of composite nodes too (tools/program/descent.h)
  bool repros = true;    ///< each finding has a one-call program (tools/output/repro.h)
  std::string inputs;    ///< `zeros`, `ones`, `random`, a file, or empty: the file next to the program, else random
  std::string expect;    ///< a file, `none`, or empty: the file next to the program
  std::string facts;     ///< a file, `none`, or empty: the file next to the program
  Waivers waivers;       ///< findings to waive
  Waivers known_wrong;   ///< records that are known to be wrong
};

struct CrosscheckSummary {
  std::string program;               ///< path
  std::vector<std::string> notes;    ///< for people: files next to the program that were used, and other notes
  Counts missing;                    ///< unregistered operators: name -> number of nodes
  std::vector<std::string> plugins;  ///< plugins that the program names for missing operators
  Counts refused;                    ///< operator -> nodes that it refused (keep_going only)
  std::vector<std::string> refusals;
  int64_t with_fact = 0;  ///< compared results with a fact, whatever their witness was
  Report report;
  std::vector<DownstreamDifference> inherited;     ///< results that differ only because of an earlier finding
  std::vector<GraphNeighbourhood> neighbourhoods;  ///< graph around the first finding of the first causes, if requested
  std::optional<Report> parts;                     ///< report on the parts of composite nodes; with `descend`
  std::map<std::string, int64_t, std::less<>> symbols;  ///< values of the program's symbols in the real run
};

/// RAISES NotSupported if there are no real tensors on the device, because the module, the driver or the GPU is
/// missing.
void require_device(Device device);

/// If ops are missing without keep_going, nothing runs and only `missing` is filled. RAISES Error for a program or file
/// that cannot be used. The waivers in `options` count their uses.
CrosscheckSummary run_crosscheck(const std::string& path, CrosscheckRunOptions& options);
/// Runs a program that is loaded already.
CrosscheckSummary run_crosscheck(const ProgramInput& input, CrosscheckRunOptions& options);

}  // namespace ersatz::tools
