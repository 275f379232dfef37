// Runs one unit of work in child processes: compares every call, survives crashes and hangs, and shrinks failing calls.
#pragma once

#include "tools/validate/call_source.h"
#include "tools/validate/verdict.h"

namespace ersatz::tools {

struct UnitOptions {
  Device device = kCPU;
  double limit_s = 20;  ///< time limit of one call, in seconds
  /// The most calls that are made to shrink one call. If each candidate needs a child process, the limit is a tenth of
  /// this.
  int shrink_budget = 2000;
  static constexpr int kMostCrashes = 32;  ///< after this many crashes, the other calls of the unit are not made
};

/// Runs a unit. `unit` is its number in the run. REQUIRES: this process has run no kernel (tools/validate/child.h).
OpVerdict run_unit(const CallSource& source, int64_t unit, const UnitOptions& options);

/// Returns the key of a finding. Findings of one op with equal keys have one cause and are reported once. Different
/// results have different keys, unless the results are the items of one list.
std::string finding_key(const Finding& f, bool returns_list);

/// Compares recorded calls in this process. Nothing is shrunk.
OpVerdict judge_here(const CallSource& source);

}  // namespace ersatz::tools
