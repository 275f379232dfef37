// Runs one unit of work in child processes: compares every call, survives crashes and hangs, and shrinks failing calls.
#pragma once

#include "tools/validate/call_source.h"
#include "tools/validate/verdict.h"

namespace ersatz::tools {

struct UnitOptions {
  Device device = kCPU;
  double limit_s = 20;                     ///< time limit of one call
  int shrink_budget = 2000;                ///< most calls for shrinking one call; a tenth of it if each needs a child
  static constexpr int kMostCrashes = 32;  ///< after this many, the unit's other calls are not made
};

/// `unit` is the number of the unit in the run. REQUIRES: this process has not computed (tools/validate/child.h).
OpVerdict run_unit(const CallSource& source, int64_t unit, const UnitOptions& options);

/// Findings of one op with equal keys have one cause and are reported once. Findings about several results have several
/// keys, unless the results are the items of one list.
std::string finding_key(const Finding& f, bool returns_list);

/// Compares the calls in this process and shrinks nothing: for recorded calls.
OpVerdict judge_here(const CallSource& source);

}  // namespace ersatz::tools
