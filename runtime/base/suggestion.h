// The usual suggestion for each kind of error. Code that raises an error and knows a better one puts it into
// `Error::suggestion`. Kinds too general for a usual suggestion (InvalidArgument) have none.
#pragma once

#include "runtime/base/error.h"

namespace ersatz {

/// Empty for a kind that has none.
std::string_view usual_suggestion(ErrorKind kind);

}  // namespace ersatz
