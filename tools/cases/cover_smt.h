// What a report claims about sizes, as SMT-LIB text: an independent solver can judge it.
#pragma once

#include <string>

#include "tools/cases/cover.h"

namespace ersatz::tools {

/// Each question is announced by `echo` with the answer that bears the report out, and asked by `check-sat`: every
/// declared size has a case, no size has two, each case has a size, and each assert of a case allows a size of it.
/// Where some sizes have no case, the first question is left out, and a comment says so.
std::string to_smt(const SizeCover& cover, const std::string& program);

}  // namespace ersatz::tools
