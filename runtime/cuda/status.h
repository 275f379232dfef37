// CUDA failures inside the module, as our own errors: the device, the op that this thread runs, the call, CUDA's words.
//
// A failed call raises InternalError, running out of memory InvalidArgument as on the host. Work is asynchronous: a
// kernel that reads a wrong address fails some later call, perhaps of another op. The error names the op of that call.
// CUDA_LAUNCH_BLOCKING=1 makes it the right one.
//
// Some failures (an illegal address, a failed assertion in a kernel, a hardware fault) poison the device for the rest
// of the process. After the first, which is raised as above, every later call on that device raises NotSupported:
// `cuda:0 is unusable since ...: restart the process`, without asking the driver. Calls that
// free memory, streams and events then do nothing, so destructors of live objects pass and the process ends as usual.
#pragma once

#include <string>

#include "runtime/base/error.h"
#include "runtime/cuda/driver.h"

namespace ersatz::cuda_module {

/// Raises for a code that is not 0. `call` is the text of a call, or the mangled type name of a functor.
void check(int status, const char* call, const char* file, int line);
/// Like `check`, for a caller that knows the device. `check` asks for the current one.
void check_on(int device, int status, const char* call, const char* file, int line);

/// Returns false if a failure has poisoned the device.
bool is_usable(int device);
/// Raises if a failure has poisoned the device.
void require_usable(int device);
/// Marks the device as unusable: require_usable(device) raises `why` after this call. The first `why` is kept.
void make_unusable(int device, std::string why);
/// For calls whose failure is not raised. A poisoning failure is remembered; any other is cleared from the driver.
void note_failure(int device, int status, const char* call);
/// For a failure that a library reports in its own words. Waits for the current device's current stream, and raises the
/// fault that caused the failure, if there is one; it is remembered then.
void raise_fault_behind(const char* call, const char* file, int line);
/// Does this failure poison a device?
bool is_sticky(int status);

/// The words for a request that could not be met, after everything was tried.
[[noreturn]] void raise_out_of_memory(int device, int64_t asked, int64_t live, int64_t cached);

}  // namespace ersatz::cuda_module

#define ERSATZ_CHECK_CUDA(call) ::ersatz::cuda_module::check((call), #call, __FILE__, __LINE__)
#define ERSATZ_CHECK_CUDA_ON(device, call) ::ersatz::cuda_module::check_on(device, (call), #call, __FILE__, __LINE__)
