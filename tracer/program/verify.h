// The verifier: is a program well formed, wherever it comes from?
//
// Checks G1-G4 (tracer/program/graph.h), that every index points at something, that calls of known operators fit their
// schemas (required arguments there, no unknown or doubled ones, as many results as returns), and that outputs write to
// inputs that exist. Recorded metadata is not judged: it is a witness.
#pragma once

#include <string>
#include <vector>

#include "tracer/program/program.h"

namespace ersatz {

/// All complaints, one line each, naming graph and node; empty when the program is well formed.
std::vector<std::string> find_faults(const Program& program);
/// Raises InvalidArgument with the first complaint and their number. `name` stands for the program.
void verify_program(const Program& program, const std::string& name);

}  // namespace ersatz
