// Finds the smallest call that still fails: fewer dims, smaller sizes, simpler layouts, dtypes, numbers and fills.
//
// The search is greedy: it takes each simplification that keeps the failure, until there is none. The parts that cannot
// be simplified explain the failure. For example, a call that fails only if an argument is permuted keeps that
// permutation.
#pragma once

#include <functional>

#include "tools/validate/call_spec.h"

namespace ersatz::tools {

using Fails = std::function<bool(const CallSpec&)>;

struct Shrunk {
  CallSpec smallest;
  int tried = 0;
  std::vector<std::string> why;  ///< conditions under which the call fails, as sentences without a full stop
};

/// Shrinks `failing`. Calls `fails` at most `budget` times. REQUIRES: fails(failing) is true.
Shrunk shrink(const CallSpec& failing, const Fails& fails, int budget);

}  // namespace ersatz::tools
