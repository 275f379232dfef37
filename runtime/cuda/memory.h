// The memory functions of CudaFunctions (runtime/tensor/cuda_module.h), implemented with pools (pool.h) and this
// thread's current streams. They return 0 or raise an error (status.h); `deallocate` never raises.
#pragma once

#include <cstdint>

namespace ersatz::cuda_module {

int allocate(void** address, int64_t nbytes, int device);
int deallocate(void* address, int device) noexcept;
/// Copies bytes. Device -1 is the host. A copy from or to the host has ended when `copy` returns; a large one goes in
/// pieces through pinned memory (pinned.h). A copy between two devices is queued: after earlier work of both current
/// streams, and before later work of both.
int copy(void* to, int to_device, const void* from, int from_device, int64_t nbytes);
int set(void* address, int byte, int64_t nbytes, int device);
int synchronize(int device);
// `synchronize` and copies from and to the host wait for the device, so they raise the errors that kernels have
// recorded (deferred_failure.h).

}  // namespace ersatz::cuda_module
