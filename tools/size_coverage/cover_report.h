// Text and JSON that say for which sizes the results of a symbolic run are valid.
#pragma once

#include "tools/output/document.h"
#include "tools/output/short_paths.h"
#include "tools/size_coverage/cover.h"

namespace ersatz::tools {

/// Returns lines, and the keys `symbols`, `declared`, `guards`, `asserts`, `assumptions`, `cases`, `uncovered` and
/// `pinned`. Empty for a program without symbols.
Document cover_report(const SizeCover& cover);

}  // namespace ersatz::tools
