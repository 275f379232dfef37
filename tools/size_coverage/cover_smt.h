// Writes the report's claims about sizes as SMT-LIB text, so that an independent solver can check them.
#pragma once

#include <string>

#include "tools/size_coverage/cover.h"

namespace ersatz::tools {

/// Before each `check-sat`, an `echo` prints the answer that confirms the report. The checks are: every declared size
/// has a case, no size has two cases, each case has a size, and each assert allows some size of its case. If some sizes
/// have no case, the first check is left out and a comment says so.
std::string to_smt(const SizeCover& cover, const std::string& program);

}  // namespace ersatz::tools
