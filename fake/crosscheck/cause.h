// The cause of a finding as text: the operand that the prediction follows, or the source of the prediction.
#pragma once

#include <string>

#include "fake/crosscheck/call_case.h"
#include "fake/crosscheck/finding.h"

namespace ersatz {

/// Returns the cause as text: `the predicted strides follow the layout of tensor operand 0, f32[2,3]{1,2}+0@cpu`. To
/// find the operand, the function runs the rule again with each operand changed: in its layout if strides differ, in
/// its dtype if dtypes differ. For other fields, or without a rule, the text names the source of the prediction. It is
/// empty for a fault of memory.
std::string cause_in_words(const CallCase& call, const Finding& finding);

}  // namespace ersatz
