// Finds the cause of a finding: the operand that the prediction follows, or the source of the prediction.
#pragma once

#include <string>

#include "fake/crosscheck/call_case.h"
#include "fake/crosscheck/finding.h"

namespace ersatz {

/// Returns the cause as text: `the predicted strides follow the layout of tensor operand 0, f32[2,3]{1,2}+0@cpu`. To
/// find the operand, the function runs the rule once for each operand, with its layout changed (if strides differ) or
/// its dtype changed (if dtypes differ). For other fields, or without a rule, the text names the source of the
/// prediction. For a fault of memory the text is empty.
std::string cause_in_words(const CallCase& call, const Finding& finding);

}  // namespace ersatz
