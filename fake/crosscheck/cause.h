// The cause of a finding in words: who answered for the fake side, which operand decided, what the witness saw.
#pragma once

#include <string>

#include "fake/crosscheck/call_case.h"
#include "fake/crosscheck/finding.h"

namespace ersatz {

/// `the rule in kernels/indexing/embedding.cpp answered; the layout of tensor operand 0 decided; a real eager run saw
/// dims in memory order 1, 0`. Which operand decided is found by asking the rule again with one operand changed:
/// another layout for strides, another dtype for a dtype. Nothing is said of it where no rule answered or the call
/// has symbols.
std::string cause_in_words(const CallCase& call, const Finding& finding);

}  // namespace ersatz
