// The cause of a finding in words: the source of the prediction, the operand that decided, and the observed result.
#pragma once

#include <string>

#include "fake/crosscheck/call_case.h"
#include "fake/crosscheck/finding.h"

namespace ersatz {

/// Example: `the rule in kernels/indexing/embedding.cpp answered; the layout of tensor operand 0 decided; a real eager
/// run saw dims in memory order 1, 0`. To find the operand, the rule is run again with one operand changed: another
/// layout for strides, another dtype for a dtype. The operand is left out if no rule answered or if the call has
/// symbols.
std::string cause_in_words(const CallCase& call, const Finding& finding);

}  // namespace ersatz
