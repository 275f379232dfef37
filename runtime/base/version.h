// The version of the loaded ersatz library, for reports.
#pragma once

#include <string_view>

namespace ersatz {

// Returns the version of the loaded library, for example "0.1.0". The caller may have been compiled with headers of
// another version.
std::string_view version();

}  // namespace ersatz
