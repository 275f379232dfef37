// Finds operators by tag, for code that must not use op names.
#pragma once

#include "runtime/op/registry.h"

namespace ersatz {

/// Returns the first default overload with the tag, else the first overload with it. Raises InternalError if no op has
/// the tag. The function walks the registry, so callers keep its result in a static local.
const OpEntry& op_with_tag(Tag tag, std::string_view what);

}  // namespace ersatz
