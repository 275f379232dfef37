// Finds the smallest call that still fails: fewer dims, smaller sizes, simpler layouts, dtypes, numbers and fills.
//
// The search is greedy: each simplification that keeps the failure is taken, until there is none. The rest explains the
// failure: a call that fails only if an argument is permuted keeps that permutation.
#pragma once

#include <functional>

#include "tools/validate/call_spec.h"

namespace ersatz::tools {

using Fails = std::function<bool(const CallSpec&)>;

struct Shrunk {
  CallSpec smallest;
  int tried = 0;
  std::vector<std::string> why;  ///< conditions of the failure; sentences without a full stop
};

/// Calls `fails` at most `budget` times. REQUIRES: `failing` fails.
Shrunk shrink(const CallSpec& failing, const Fails& fails, int budget);

}  // namespace ersatz::tools
