// Sentences that tell the author of an operator how to remove the cause of a difference.
#pragma once

#include <string>

namespace ersatz::tools {

/// Joins the cause and another sentence: `the kernel writes x. Let it work on x.clone()`. The result has no full stop
/// at the end.
std::string with_sentence(const std::string& cause, const std::string& next);
/// Adds the advice that the fake kernel should return `expression`. In `expression`, `out` means the tensor that it
/// returns now.
std::string with_better_result(const std::string& cause, const std::string& expression);

}  // namespace ersatz::tools
