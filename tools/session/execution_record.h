// Writes the call that ended a run as a recorded call (docs/call-records.md). `ersatz crosscheck` replays it.
#pragma once

#include <string>

#include "runtime/base/error.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

/// Returns `{folder}/error_recordings/{op}_{ErrorKind}_{line}.rec`. The line is the model's source line or, if that is
/// unknown, the node's number.
std::string execution_record_file(const std::string& folder, const NodeCall& call, const Error& error);

/// Writes the call and returns the file's path. The expected outcome is the program's recorded results. An existing
/// file is kept. If writing fails, the log gets a warning. The path is empty if nothing was written.
std::string write_execution_record(const std::string& folder, const NodeCall& call, const Error& error);

}  // namespace ersatz::tools
