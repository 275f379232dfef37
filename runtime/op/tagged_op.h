// Finds operators by tag, for code that may not depend on op names.
#pragma once

#include "runtime/op/registry.h"

namespace ersatz {

/// Returns the first default overload with the tag, else the first overload with the tag. Raises InternalError, with
/// `what`, if no op has the tag. The function searches the whole registry, so callers store the result in a static
/// local.
const OpEntry& op_with_tag(Tag tag, std::string_view what);

}  // namespace ersatz
