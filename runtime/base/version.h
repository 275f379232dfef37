// The version of ersatz, which the library is asked for, so that reports name what ran.
#pragma once

#include <string_view>

namespace ersatz {

// "0.1.0", the version of the loaded library (not of the headers that the caller was compiled with).
std::string_view version();

}  // namespace ersatz
