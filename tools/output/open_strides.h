// Marks strides in text that only a GPU and its libraries decide.
#pragma once

#include <string>

namespace ersatz::tools {

/// Canonical metadata with `?` after its strides: `f32[2,3]{3,1}?+0@cuda:0`.
std::string with_open_strides(std::string meta);

}  // namespace ersatz::tools
