// A recorded call as a few lines of PyTorch, which show both sides of it.
#pragma once

#include <string>

#include "tracer/records/call_record.h"

namespace ersatz::tools {

/// Lines that make the arguments, call the op for real and under PyTorch's fake mode, and print the metadata of both.
/// Empty where a record holds what they cannot say.
std::string record_snippet(const CallRecord& record);

}  // namespace ersatz::tools
