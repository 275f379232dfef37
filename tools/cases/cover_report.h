// Text and JSON that say for which sizes the results hold.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/cases/cover.h"
#include "tools/output/document.h"
#include "tools/output/short_paths.h"

namespace ersatz::tools {

/// Empty for a program without symbols.
Document to_text(const SizeCover& cover);
/// Adds `symbols`, `guards`, `asserts`, `assumptions`, `cases`, `uncovered`, `pinned`.
void add_to_json(const SizeCover& cover, nlohmann::ordered_json& report);

}  // namespace ersatz::tools
