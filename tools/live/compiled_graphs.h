// Graphs that PyTorch's compiler made code of during a live run. Each was compared with the rules as it was compiled.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fake/crosscheck/report.h"

namespace ersatz::tools {

/// How many graphs were judged, and how often their code ran.
struct CompiledCounts {
  int64_t graphs = 0;
  int64_t nodes = 0;   ///< calls in these graphs
  int64_t runs = 0;    ///< of their code, which nobody sees
  int64_t inputs = 0;  ///< of these runs, compared with what the code was compiled for

  void add(const CompiledCounts& other);
  /// `compiled: 2 graphs, 61 calls judged as they were compiled; ...`; empty: there were none.
  std::string text() const;
};

class CompiledGraphs {
 public:
  /// Adds a report on graphs, or on inputs of a run. A finding that was made before is counted there.
  void add(const Report& found, const CompiledCounts& counts);

  const CompiledCounts& counts() const { return counts_; }
  /// Puts the findings about graphs before those of `to`, those about inputs of a run behind them, and adds the counts.
  /// An operator of the user's is left unjudged if none of its calls is in `judged`. Findings that `waivers` waives are
  /// counted as that. `times`: how often each finding was made.
  void add_to(Report& to, std::vector<int64_t>* times, const std::set<std::string, std::less<>>& judged,
              Waivers& waivers) const;

 private:
  CompiledCounts counts_;
  Report found_;
  std::vector<int64_t> times_;
  std::map<std::string, size_t> places_;  ///< of findings, by what they are about
};

/// A key that is equal for one finding in several graphs or processes, and differs between findings.
std::string about(const Finding& f);

}  // namespace ersatz::tools
