// Sentences that tell the author of an operator how to repair the cause of a difference.
#pragma once

#include <string>

namespace ersatz::tools {

/// Joins the cause and another sentence: `the kernel writes x. Let it work on x.clone()`. There is no full stop at the
/// end.
std::string with_sentence(const std::string& cause, const std::string& next);
/// Adds the advice to return `expression` from the fake kernel. `out` in it is the kernel's present result.
std::string with_better_result(const std::string& cause, const std::string& expression);

}  // namespace ersatz::tools
