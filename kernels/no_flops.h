// Operation counts that several ops have.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

/// Of what moves elements and computes nothing: copies, joins, permutations.
inline std::optional<SymInt> no_flops(RuleCall&, const RuleResult&) { return 0; }

}  // namespace ersatz
