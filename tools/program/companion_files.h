// Finds the files that belong to a program: inputs, expected outputs, and facts of an eager run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/program/crosscheck_run.h"
#include "tracer/pt2/inputs_outputs.h"
#include "tracer/records/facts.h"
#include "tracer/run/run_inputs.h"

namespace ersatz::tools {

/// The contents of a program's files, which are next to the program or were named by the user.
struct CompanionFiles {
  std::optional<Facts> facts;
  std::optional<InputsOutputs> inputs, expected;
  InputChoice choice;
  bool same_run = false;  ///< inputs and weights are those of the eager run that recorded the facts
};

/// Reads the files, and adds a note for each. RAISES Error if a file that the user named does not fit the program. A
/// file that is only next to the program and does not fit is ignored.
CompanionFiles find_companion_files(const ProgramInput& input, const CrosscheckRunOptions& options,
                                    std::vector<std::string>& notes);

}  // namespace ersatz::tools
