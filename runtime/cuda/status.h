// Turns CUDA's error codes into errors of ersatz. Each error names the device, the op that this thread runs and the
// CUDA call, and has CUDA's message.
//
// A failed call raises InternalError; if memory is exhausted, it raises InvalidArgument, as on the host. Kernels run
// asynchronously: if a kernel reads a wrong address, a later call fails, perhaps of another op. The error then names
// the op of that later call. With CUDA_LAUNCH_BLOCKING=1 it names the right op.
//
// After some failures (an illegal address, a failed assertion in a kernel, a hardware fault) the device is unusable for
// the rest of the process. The first failure is raised like any other. Every later call on that device raises
// NotSupported without a call of the driver: `cuda:0 is unusable since ...: restart the process`. Functions that free
// memory, streams and events then do nothing, so that destructors do not fail and the process can end.
#pragma once

#include <string>

#include "runtime/base/error.h"
#include "runtime/cuda/driver.h"

namespace ersatz::cuda_module {

/// Raises an error unless `status` is 0. `call` is the text of a call, or the mangled type name of a functor.
void check(int status, const char* call, const char* file, int line);
/// Like `check`, but the error names `device`. `check` itself names the current device.
void check_on(int device, int status, const char* call, const char* file, int line);

/// Returns whether no failure has made the device unusable.
bool is_usable(int device);
/// Raises NotSupported if a failure has made the device unusable.
void require_usable(int device);
/// Marks the device as unusable. From then on require_usable(device) raises `why`. The first `why` is kept.
void make_unusable(int device, std::string why);
/// Handles the result of a call whose failure is not raised. If is_sticky(status), the device becomes unusable; any
/// other error is cleared from the driver.
void note_failure(int device, int status, const char* call);
/// For a failure that a library (cuBLASLt, cuDNN) reports. Waits for the current device's current stream, and if a
/// kernel's fault caused the failure, raises that fault and marks the device as unusable. Otherwise returns.
void raise_fault_behind(const char* call, const char* file, int line);
/// Returns whether this failure makes a device unusable.
bool is_sticky(int status);

/// Raises the error for a request that cannot be met even after free blocks were returned to the driver.
[[noreturn]] void raise_out_of_memory(int device, int64_t asked, int64_t live, int64_t cached);

}  // namespace ersatz::cuda_module

#define ERSATZ_CHECK_CUDA(call) ::ersatz::cuda_module::check((call), #call, __FILE__, __LINE__)
#define ERSATZ_CHECK_CUDA_ON(device, call) ::ersatz::cuda_module::check_on(device, (call), #call, __FILE__, __LINE__)
