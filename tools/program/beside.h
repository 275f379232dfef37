// Files that belong to a program: inputs, expected outputs, and facts of a real eager run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/program/crosscheck_run.h"
#include "tracer/pt2/inputs_outputs.h"
#include "tracer/records/facts.h"
#include "tracer/run/run_inputs.h"

namespace ersatz::tools {

/// What lies beside the program, or what the user named instead.
struct Beside {
  std::optional<Facts> facts;
  std::optional<InputsOutputs> inputs, expected;
  InputChoice choice;
  bool same_run = false;  ///< inputs and weights are those of the eager run that the facts are of
};

/// Reads them, and adds to `notes` what was used. Raises where a file that the user named cannot be, and leaves alone
/// one of another program that only lies beside.
Beside look_beside(const ProgramInput& input, const CrosscheckRunOptions& options, std::vector<std::string>& notes);

}  // namespace ersatz::tools
