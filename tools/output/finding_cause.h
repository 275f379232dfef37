// Findings by what causes them: one op, one field, one message with what varies from call to call taken out.
#pragma once

#include <string>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

/// Numbers become `#`, tensors `T`, long texts end in `...`: `clamp: min T does not broadcast with T`.
std::string without_details(std::string_view text);

/// What a finding has in common with others of its op and field: `f64 instead of f32`, `passes instead of raises
/// (runtime)`.
std::string cause_of(const Finding& finding);

}  // namespace ersatz::tools
