// The default suggestion for each kind of error. Code that knows a better suggestion sets `Error::suggestion` itself.
// General kinds, for example InvalidArgument, have no default.
#pragma once

#include "runtime/base/error.h"

namespace ersatz {

/// Returns the default suggestion; empty for a kind that has none.
std::string_view usual_suggestion(ErrorKind kind);

}  // namespace ersatz
