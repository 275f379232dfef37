// The version of the loaded ersatz library, for reports.
#pragma once

#include <string_view>

namespace ersatz {

// "0.1.0", the version of the loaded library (not of the headers that the caller was compiled with).
std::string_view version();

}  // namespace ersatz
