// Checks that a program is well formed, wherever it comes from.
//
// G1-G4 (tracer/program/graph.h) must hold, and every index must be in range. Calls of known operators must fit their
// schemas: no missing, unknown or repeated argument, and as many results as the schema returns. An output may write
// only to an input that exists. Recorded metadata is not checked, because it is only evidence.
#pragma once

#include <string>
#include <vector>

#include "tracer/program/program.h"

namespace ersatz {

/// Returns all faults, each as one line with graph and node; empty if the program is well formed.
std::vector<std::string> find_faults(const Program& program);
/// RAISES InvalidArgument, with the first fault and the number of faults, if the program is not well formed. `name` is
/// the program's name in the message.
void verify_program(const Program& program, const std::string& name);

}  // namespace ersatz
