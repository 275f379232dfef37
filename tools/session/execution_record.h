// The call that ended a run, left as a recorded call (docs/call-records.md): `ersatz crosscheck` makes it again.
#pragma once

#include <string>

#include "runtime/base/error.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

/// `{folder}/error_recordings/{op}_{ErrorKind}_{line}.rec`; the line is that of the model, or the node's number where
/// none is known.
std::string execution_record_file(const std::string& folder, const NodeCall& call, const Error& error);

/// Writes it, with what the program recorded of the results as what ought to have come. A file that is there is kept.
/// What cannot be written is a warning in the log. Returns the path of a record that was written, else nothing.
std::string write_execution_record(const std::string& folder, const NodeCall& call, const Error& error);

}  // namespace ersatz::tools
