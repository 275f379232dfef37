// The memory functions of the module's table (runtime/tensor/cuda_module.h), on the pools (pool.h) and this thread's
// current streams. They return 0 or raise (status.h); `deallocate` never raises.
#pragma once

#include <cstdint>

namespace ersatz::cuda_module {

int allocate(void** address, int64_t nbytes, int device);
int deallocate(void* address, int device) noexcept;
/// Device -1 is the host. Copies from and to the host have ended when this returns; large ones go in pieces through
/// pinned memory (pinned.h). Between devices they are work like a kernel's: after earlier work of both current streams,
/// before later work of both.
int copy(void* to, int to_device, const void* from, int from_device, int64_t nbytes);
int set(void* address, int byte, int64_t nbytes, int device);
int synchronize(int device);
// Functions that wait for the device, as copies from and to the host do, raise the failures that launches have noted
// (deferred_failure.h).

}  // namespace ersatz::cuda_module
