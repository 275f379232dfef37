// Graphs that torch.compile compiled during a live run. Each graph was compared with the rules when it was compiled.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fake/crosscheck/report.h"

namespace ersatz::tools {

/// Numbers of compiled graphs that were compared, and of runs of their code.
struct CompiledCounts {
  int64_t graphs = 0;
  int64_t nodes = 0;   ///< operator calls in these graphs
  int64_t runs = 0;    ///< runs of the compiled code; the operator calls inside a run are not seen
  int64_t inputs = 0;  ///< inputs of these runs, compared with the inputs that the code was compiled for

  void add(const CompiledCounts& other);
  /// For example `compiled: 2 graphs, 61 calls judged as they were compiled; ...`; empty if there are no graphs.
  std::string text() const;
};

class CompiledGraphs {
 public:
  /// Adds a report about graphs, or about the inputs of a run. If a finding occurred before, only its count increases.
  void add(const Report& found, const CompiledCounts& counts);

  const CompiledCounts& counts() const { return counts_; }
  /// Adds counts and findings to `to`. Findings about graphs are put before the findings in `to`, findings about inputs
  /// of a run after them. A custom operator is unjudged if `judged` does not contain it. Findings that `waivers` waives
  /// count as waived. `times` gets for each finding how often it occurred.
  void add_to(Report& to, std::vector<int64_t>* times, const std::set<std::string, std::less<>>& judged,
              Waivers& waivers) const;

 private:
  CompiledCounts counts_;
  Report found_;
  std::vector<int64_t> times_;
  std::map<std::string, size_t> places_;  ///< index of each finding by its key `about`
};

/// Returns a key for a finding. Equal findings in several graphs or processes have equal keys, different findings have
/// different ones.
std::string about(const Finding& f);

}  // namespace ersatz::tools
