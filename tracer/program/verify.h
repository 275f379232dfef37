// The verifier checks that a program is well formed, whatever its source.
//
// It checks G1-G4 (tracer/program/graph.h) and that every index is in range. Calls of known operators must fit their
// schemas: no missing, unknown or repeated argument, and as many results as the schema returns. Outputs may write only
// to inputs that exist. Recorded metadata is not checked, because it is only evidence.
#pragma once

#include <string>
#include <vector>

#include "tracer/program/program.h"

namespace ersatz {

/// Returns all faults, one line each with graph and node; empty if the program is well formed.
std::vector<std::string> find_faults(const Program& program);
/// Raises InvalidArgument with the first fault and the number of faults. `name` names the program.
void verify_program(const Program& program, const std::string& name);

}  // namespace ersatz
