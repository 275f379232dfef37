// The cause of a finding: its message without the details that vary from call to call. Findings with equal causes are
// grouped.
#pragma once

#include <string>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

/// Returns the text with numbers replaced by `#` and tensors by `T`; long texts are cut. Example: `clamp: min T does
/// not broadcast with T`.
std::string without_details(std::string_view text);

/// Returns the text that findings with one cause, operator and field have in common: `f64 instead of f32`, `passes
/// instead of raises (runtime)`.
std::string cause_of(const Finding& finding);

}  // namespace ersatz::tools
