// CUDA failures inside the module, as our own errors: the op, the call's text, the device, CUDA's words.
#pragma once

#include "runtime/cuda/driver.h"
#include "runtime/error.h"

namespace ersatz::cuda_module {

/// Raises for a code that is not 0.
void check(int status, const char* call, const char* file, int line);

}  // namespace ersatz::cuda_module

#define ERSATZ_CHECK_CUDA(call) ::ersatz::cuda_module::check((call), #call, __FILE__, __LINE__)
