// Which ersatz this is: the library says what it was built as, so that a report can carry it.
#pragma once

#include <string_view>

namespace ersatz {

// "0.1.0", the version of the loaded library (not of the headers that the caller was compiled with).
std::string_view version();

}  // namespace ersatz
