// Converts arguments written in Python syntax, like `torch.float32`, `'floor'`, `float32[2, 3]`.
#pragma once

#include <string>
#include <string_view>

namespace ersatz::tools {

/// Returns the arguments in the syntax of runtime/op/literal.h: short names for PyTorch's dtypes, no `torch.`, strings
/// in double quotes, no spaces inside brackets. Other text is unchanged.
std::string typed_arguments(std::string_view text);

}  // namespace ersatz::tools
