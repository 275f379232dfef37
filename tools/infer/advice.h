// Sentences that tell the author of an operator how to mend what a cause tells.
#pragma once

#include <string>

namespace ersatz::tools {

/// The cause, then another sentence: `the kernel writes x. Let it work on x.clone()`. No full stop ends it.
std::string with_sentence(const std::string& cause, const std::string& next);
/// Advice to return an expression from the fake kernel. In the expression `out` is what the fake kernel returns now.
std::string with_better_result(const std::string& cause, const std::string& expression);

}  // namespace ersatz::tools
