// Strides that only a GPU and its libraries decide, in text.
#pragma once

#include <string>

namespace ersatz::tools {

/// Metadata in canonical spelling with a mark behind its strides: `f32[2,3]{3,1}?+0@cuda:0`.
std::string with_open_strides(std::string meta);

}  // namespace ersatz::tools
