// Stores the metadata that a symbolic run computed in the program.
#pragma once

#include "tools/size_coverage/cover.h"

namespace ersatz::tools {

/// Replaces the recorded metadata of `program` by the results of the case. The case's guards, asserts and assumptions
/// become conditions of the program. REQUIRES: `program` is the program of the run, loaded again.
void record_answers(Program& program, const SizeCase& answered);

}  // namespace ersatz::tools
