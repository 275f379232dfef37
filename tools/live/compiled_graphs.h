// Graphs that PyTorch's compiler compiled during a live run. Each was compared with the rules when it was compiled.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fake/crosscheck/report.h"

namespace ersatz::tools {

/// Number of compared graphs, and of runs of their code.
struct CompiledCounts {
  int64_t graphs = 0;
  int64_t nodes = 0;   ///< calls in these graphs
  int64_t runs = 0;    ///< runs of their code; the calls inside are not seen
  int64_t inputs = 0;  ///< inputs of these runs, compared with the inputs that the code was compiled for

  void add(const CompiledCounts& other);
  /// `compiled: 2 graphs, 61 calls judged as they were compiled; ...`; empty without graphs.
  std::string text() const;
};

class CompiledGraphs {
 public:
  /// Adds a report on graphs or on inputs of a run. A repeated finding only increases its count.
  void add(const Report& found, const CompiledCounts& counts);

  const CompiledCounts& counts() const { return counts_; }
  /// Adds the counts to `to`, findings about graphs before its findings, and findings about inputs of a run after them.
  /// A custom operator is unjudged if `judged` does not contain it. Findings that `waivers` waives count as waived.
  /// `times` gets how often each finding was made.
  void add_to(Report& to, std::vector<int64_t>* times, const std::set<std::string, std::less<>>& judged,
              Waivers& waivers) const;

 private:
  CompiledCounts counts_;
  Report found_;
  std::vector<int64_t> times_;
  std::map<std::string, size_t> places_;  ///< index of each finding by its key `about`
};

/// A key that is equal for one finding in several graphs or processes, and differs between findings.
std::string about(const Finding& f);

}  // namespace ersatz::tools
