// Operators that the other rooms need and may not name: found by what their tag says they do.
#pragma once

#include "runtime/op/registry.h"

namespace ersatz {

/// The first default overload with the tag, else the first one; an InternalError where no op has it. Walks the
/// registry: for static locals.
const OpEntry& op_with_tag(Tag tag, std::string_view what);

}  // namespace ersatz
