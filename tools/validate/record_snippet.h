// Writes a recorded call as PyTorch code that shows the prediction and the run.
#pragma once

#include <string>

#include "tracer/records/call_record.h"

namespace ersatz::tools {

/// Returns Python code that makes the arguments, calls the op for real and under PyTorch's FakeTensorMode, and prints
/// the metadata of both. Empty if the record has something that the code cannot express.
std::string record_snippet(const CallRecord& record);

}  // namespace ersatz::tools
