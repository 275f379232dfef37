// The cause of a finding: its message without details that vary from call to call. Causes group findings.
#pragma once

#include <string>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

/// Replaces numbers by `#` and tensors by `T`, and cuts long texts: `clamp: min T does not broadcast with T`.
std::string without_details(std::string_view text);

/// The text that findings of one op and field have in common: `f64 instead of f32`, `passes instead of raises
/// (runtime)`.
std::string cause_of(const Finding& finding);

}  // namespace ersatz::tools
