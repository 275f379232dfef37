// The program that a run with symbols answered for.
#pragma once

#include "tools/cases/cover.h"

namespace ersatz::tools {

/// Records of `program` become what the case answered; its guards, asserts and assumptions become the program's
/// conditions. REQUIRES: it is the program that was run, made anew.
void record_answers(Program& program, const SizeCase& answered);

}  // namespace ersatz::tools
