// The FLOP count of operators that compute nothing.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

/// Returns 0 FLOPs, for operators that only move elements: copies, concatenations, permutations.
inline std::optional<SymInt> no_flops(RuleCall&, const RuleResult&) { return 0; }

}  // namespace ersatz
