// One unit of work, in child processes: every call judged, crashes and hangs survived, what was found made small.
#pragma once

#include "tools/validate/call_source.h"
#include "tools/validate/verdict.h"

namespace ersatz::tools {

struct UnitOptions {
  Device device = kCPU;
  double limit_s = 20;       ///< that one call may take
  int shrink_budget = 2000;  ///< calls that making one failing call small may take; a tenth where each needs a child
  static constexpr int kMostCrashes = 32;  ///< after so many, the rest of the unit's calls is not made
};

/// REQUIRES: this process has not computed (tools/validate/child.h). `unit` is its number in the run.
OpVerdict run_unit(const CallSource& source, int64_t unit, const UnitOptions& options);

/// Findings of one op with equal keys have one cause: they are told once. Several wrong results are several, unless the
/// results are the items of one list.
std::string finding_key(const Finding& f, bool returns_list);

/// The same in this process, with nothing made small: for calls that are not made again.
OpVerdict judge_here(const CallSource& source);

}  // namespace ersatz::tools
