// Writes the call that ended a run as a recorded call (docs/call-records.md), which `ersatz crosscheck` replays.
#pragma once

#include <string>

#include "runtime/base/error.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

/// `{folder}/error_recordings/{op}_{ErrorKind}_{line}.rec`. The line is the model's, or the node's number if it is
/// unknown.
std::string execution_record_file(const std::string& folder, const NodeCall& call, const Error& error);

/// Writes the call, with the program's recorded results as the expected outcome, and returns the path. An existing file
/// is kept. If writing fails, warns in the log. Returns an empty path if nothing was written.
std::string write_execution_record(const std::string& folder, const NodeCall& call, const Error& error);

}  // namespace ersatz::tools
