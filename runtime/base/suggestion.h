// What usually helps against an error of a kind. Whoever raises an error and knows better says so in
// `Error::suggestion`; an error of a kind that says nothing by itself (InvalidArgument) has none then.
#pragma once

#include "runtime/base/error.h"

namespace ersatz {

/// Empty where the message is all there is to say.
std::string_view usual_suggestion(ErrorKind kind);

}  // namespace ersatz
