// Marks strides in a text that depend on the GPU and its libraries.
#pragma once

#include <string>

namespace ersatz::tools {

/// Puts `?` after the strides of metadata in canonical spelling: `f32[2,3]{3,1}?+0@cuda:0`.
std::string with_open_strides(std::string meta);

}  // namespace ersatz::tools
