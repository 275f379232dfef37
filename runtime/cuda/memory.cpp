#include "runtime/cuda/memory.h"

#include <cuda_runtime_api.h>

#include "runtime/cuda/stream.h"

namespace ersatz::cuda_module {
namespace {

/// Runs `call` with the device current and puts the caller's device back; the table answers codes, it never throws.
template <class F>
int on_device(int device, F call) {
  int previous = 0;
  if (cudaError_t e = cudaGetDevice(&previous)) return e;
  if (cudaError_t e = cudaSetDevice(device)) return e;
  cudaError_t status = call(current_stream(device));
  cudaSetDevice(previous);
  if (status != cudaSuccess) cudaGetLastError();  // reported here: the next launch must not meet it again
  return status;
}

}  // namespace

int allocate(void** address, int64_t nbytes, int device) {
  return on_device(device, [&](cudaStream_t s) { return cudaMallocAsync(address, static_cast<size_t>(nbytes), s); });
}

int deallocate(void* address, int device) {
  return on_device(device, [&](cudaStream_t s) { return cudaFreeAsync(address, s); });
}

int copy(void* to, int to_device, const void* from, int from_device, int64_t nbytes) {
  int device = to_device >= 0 ? to_device : from_device;
  return on_device(device, [&](cudaStream_t s) {
    // Work that fills the source may be queued on its own device's stream.
    if (from_device >= 0 && from_device != device) {
      if (int e = synchronize(from_device)) return static_cast<cudaError_t>(e);
    }
    cudaError_t e = cudaMemcpyAsync(to, from, static_cast<size_t>(nbytes), cudaMemcpyDefault, s);
    return e == cudaSuccess ? cudaStreamSynchronize(s) : e;
  });
}

int set(void* address, int byte, int64_t nbytes, int device) {
  return on_device(device,
                   [&](cudaStream_t s) { return cudaMemsetAsync(address, byte, static_cast<size_t>(nbytes), s); });
}

int synchronize(int device) {
  return on_device(device, [](cudaStream_t s) { return cudaStreamSynchronize(s); });
}

int keep_pool_memory(int device) {
  cudaMemPool_t pool = nullptr;
  if (cudaError_t e = cudaDeviceGetDefaultMemPool(&pool, device)) return e;
  uint64_t threshold = UINT64_MAX;
  return cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
}

}  // namespace ersatz::cuda_module
