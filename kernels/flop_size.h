// Sizes in operation counts.
#pragma once

#include <limits>

#include "runtime/op/rule.h"

#include "runtime/sym/sym_expr.h"

namespace ersatz {

/// A size as a factor of an operation count: its value, or its value under the symbols' hints; NaN, which makes the
/// count unknown, where a symbol has none.
inline double counted_size(SymInt n) {
  if (n.is_int()) return double(n.as_int());
  const auto v = value_at_hints(n);
  return v ? double(*v) : std::numeric_limits<double>::quiet_NaN();
}

/// Of what moves elements and computes nothing: copies, joins, permutations.
inline double no_flops(RuleCall&, const RuleResult&) { return 0; }

}  // namespace ersatz
