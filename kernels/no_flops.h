// A FLOP count that several operators share.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

/// 0 FLOPs, for operators that only move elements: copies, joins, permutations.
inline std::optional<SymInt> no_flops(RuleCall&, const RuleResult&) { return 0; }

}  // namespace ersatz
