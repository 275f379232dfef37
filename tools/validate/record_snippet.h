// Writes a recorded call as lines of PyTorch that show prediction and run.
#pragma once

#include <string>

#include "tracer/records/call_record.h"

namespace ersatz::tools {

/// Lines that make the arguments, call the op for real and under PyTorch's fake mode, and print the metadata of both.
/// Empty if the record has something that Python lines cannot express.
std::string record_snippet(const CallRecord& record);

}  // namespace ersatz::tools
