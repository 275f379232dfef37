// The smallest call that still fails: fewer dims, smaller sizes, plainer layouts and dtypes, simpler numbers and fills.
//
// Greedy: each simplification that keeps the call failing is taken, until none is left. What could not be simplified is
// the explanation: a call that fails only where one argument is permuted keeps that permutation.
#pragma once

#include <functional>

#include "tools/validate/call_spec.h"

namespace ersatz::tools {

using Fails = std::function<bool(const CallSpec&)>;

struct Shrunk {
  CallSpec smallest;
  int tried = 0;
  std::vector<std::string> why;  ///< what the failure needs, in sentences without a full stop
};

/// REQUIRES: `failing` fails. Asks `fails` at most `budget` times.
Shrunk shrink(const CallSpec& failing, const Fails& fails, int budget);

}  // namespace ersatz::tools
