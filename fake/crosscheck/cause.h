// The cause of a finding in words: the source of the prediction, the operand that decided, the observation.
#pragma once

#include <string>

#include "fake/crosscheck/call_case.h"
#include "fake/crosscheck/finding.h"

namespace ersatz {

/// Returns the cause as text: `the rule in kernels/indexing/embedding.cpp answered; the layout of tensor operand 0
/// decided; a real eager run saw dims in memory order 1, 0`. The function asks the rule again with one operand changed
/// (another layout for strides, another dtype for a dtype), to find the operand that decides. It names none if no rule
/// answered or the call has symbols.
std::string cause_in_words(const CallCase& call, const Finding& finding);

}  // namespace ersatz
