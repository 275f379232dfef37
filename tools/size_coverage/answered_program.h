// A program with the metadata that a symbolic run computed for it.
#pragma once

#include "tools/size_coverage/cover.h"

namespace ersatz::tools {

/// Replaces the records of `program` with the results of the case. The case's guards, asserts and assumptions become
/// the program's conditions. REQUIRES: `program` is the program of the run, loaded again.
void record_answers(Program& program, const SizeCase& answered);

}  // namespace ersatz::tools
