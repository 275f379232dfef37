// The memory functions of the module's table (runtime/cuda_module.h): stream-ordered pools of CUDA itself.
#pragma once

#include <cstdint>

namespace ersatz::cuda_module {

int allocate(void** address, int64_t nbytes, int device);
int deallocate(void* address, int device);
int copy(void* to, int to_device, const void* from, int from_device, int64_t nbytes);
int set(void* address, int byte, int64_t nbytes, int device);
int synchronize(int device);

}  // namespace ersatz::cuda_module
