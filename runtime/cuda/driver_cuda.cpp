// The table Driver, filled with functions of the CUDA runtime. No other host source of the module includes a CUDA
// header for memory, streams or events.
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <atomic>
#include <cstdio>

#include "runtime/cuda/driver.h"
#include "runtime/tensor/cuda_module.h"

namespace ersatz::cuda_module {
namespace {

cudaStream_t stream_of(StreamHandle s) { return static_cast<cudaStream_t>(s); }
cudaEvent_t event_of(EventHandle e) { return static_cast<cudaEvent_t>(e); }

int properties(int device, DeviceProperties* to) {
  cudaDeviceProp p;
  if (cudaError_t e = cudaGetDeviceProperties(&p, device)) return e;
  std::snprintf(to->name, sizeof to->name, "%s", p.name);
  to->capability = p.major * 10 + p.minor;
  to->total_bytes = static_cast<int64_t>(p.totalGlobalMem);
  to->multiprocessors = p.multiProcessorCount;
  to->shared_bytes_per_block = static_cast<int>(p.sharedMemPerBlockOptin);
  to->l2_bytes = p.l2CacheSize;
  return cudaSuccess;
}

int free_bytes(int64_t* free, int64_t* total) {
  size_t f = 0, t = 0;
  const cudaError_t e = cudaMemGetInfo(&f, &t);
  *free = static_cast<int64_t>(f);
  *total = static_cast<int64_t>(t);
  return e;
}

/// Returns whether the device has memory pools, which virtual GPUs may lack.
bool has_pools(int device) {
  static std::atomic<int8_t> known[kMaxDevices];  // 0: not asked yet, 1: yes, 2: no
  std::atomic<int8_t>& answer = known[device];
  if (answer.load(std::memory_order_relaxed) == 0) {
    int pools = 0;
    const cudaError_t e = cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, device);
    answer.store(e == cudaSuccess && pools != 0 ? 1 : 2, std::memory_order_relaxed);
  }
  return answer.load(std::memory_order_relaxed) == 1;
}
bool current_has_pools() {
  int device = 0;
  return cudaGetDevice(&device) == cudaSuccess && has_pools(device);
}

/// Rounds the size up to a multiple of 4, because an atomic operation on two bytes reads and writes the four bytes
/// around them.
int malloc_async(void** address, size_t nbytes, StreamHandle stream) {
  nbytes = (nbytes + 3) / 4 * 4;
  return current_has_pools() ? cudaMallocAsync(address, nbytes, stream_of(stream)) : cudaMalloc(address, nbytes);
}
/// Without memory pools, cudaFree waits for the device, and so for the stream.
int free_async(void* address, StreamHandle stream) {
  return current_has_pools() ? cudaFreeAsync(address, stream_of(stream)) : cudaFree(address);
}

int keep_pool_memory(int device) {
  if (!has_pools(device)) return cudaSuccess;
  cudaMemPool_t pool = nullptr;
  if (cudaError_t e = cudaDeviceGetDefaultMemPool(&pool, device)) return e;
  uint64_t threshold = UINT64_MAX;
  return cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
}

int trim_pool(int device, size_t keep) {
  if (!has_pools(device)) return cudaSuccess;
  cudaMemPool_t pool = nullptr;
  if (cudaError_t e = cudaDeviceGetDefaultMemPool(&pool, device)) return e;
  return cudaMemPoolTrimTo(pool, keep);
}

bool is_pinned(const void* address) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, address) == cudaSuccess) return attributes.type == cudaMemoryTypeHost;
  cudaGetLastError();  // not a CUDA address: clears the error, which the next launch would report
  return false;
}

constexpr Driver kDriver{
    .error_text = [](int code) { return cudaGetErrorString(static_cast<cudaError_t>(code)); },
    .take_last_error = []() -> int { return cudaGetLastError(); },
    .device_count = [](int* count) -> int { return cudaGetDeviceCount(count); },
    .properties = properties,
    .get_device = [](int* device) -> int { return cudaGetDevice(device); },
    .set_device = [](int device) -> int { return cudaSetDevice(device); },
    .free_bytes = free_bytes,
    .malloc_async = malloc_async,
    .free_async = free_async,
    .keep_pool_memory = keep_pool_memory,
    .trim_pool = trim_pool,
    .malloc_host = [](void** a, size_t n) -> int { return cudaMallocHost(a, n); },
    .free_host = [](void* a) -> int { return cudaFreeHost(a); },
    .copy_async = [](void* to, const void* from, size_t n, StreamHandle s) -> int {
      return cudaMemcpyAsync(to, from, n, cudaMemcpyDefault, stream_of(s));
    },
    .copy_peer_async = [](void* to, int to_device, const void* from, int from_device, size_t n, StreamHandle s) -> int {
      return cudaMemcpyPeerAsync(to, to_device, from, from_device, n, stream_of(s));
    },
    .set_async = [](void* a, int byte, size_t n, StreamHandle s) -> int {
      return cudaMemsetAsync(a, byte, n, stream_of(s));
    },
    .stream_create = [](StreamHandle* s) -> int {
      return cudaStreamCreateWithFlags(reinterpret_cast<cudaStream_t*>(s), cudaStreamNonBlocking);
    },
    .stream_destroy = [](StreamHandle s) -> int { return cudaStreamDestroy(stream_of(s)); },
    .stream_synchronize = [](StreamHandle s) -> int { return cudaStreamSynchronize(stream_of(s)); },
    .stream_wait_event = [](StreamHandle s, EventHandle e) -> int {
      return cudaStreamWaitEvent(stream_of(s), event_of(e), 0);
    },
    .event_create = [](EventHandle* e, bool timing) -> int {
      return cudaEventCreateWithFlags(reinterpret_cast<cudaEvent_t*>(e), timing ? 0 : cudaEventDisableTiming);
    },
    .event_destroy = [](EventHandle e) -> int { return cudaEventDestroy(event_of(e)); },
    .event_record = [](EventHandle e, StreamHandle s) -> int { return cudaEventRecord(event_of(e), stream_of(s)); },
    .event_query = [](EventHandle e) -> int { return cudaEventQuery(event_of(e)); },
    .event_synchronize = [](EventHandle e) -> int { return cudaEventSynchronize(event_of(e)); },
    .event_elapsed = [](float* ms, EventHandle begin, EventHandle end) -> int {
      return cudaEventElapsedTime(ms, event_of(begin), event_of(end));
    },
    .built_for = ERSATZ_CUDA_ARCHS,
    .is_pinned = is_pinned,
};

}  // namespace

// Checks the error numbers that other sources use.
static_assert(kOutOfMemory == cudaErrorMemoryAllocation && kNotReady == cudaErrorNotReady);
static_assert(cudaErrorECCUncorrectable == 214 && cudaErrorNvlinkUncorrectable == 220 && cudaErrorContained == 226 &&
              cudaErrorIllegalAddress == 700 && cudaErrorLaunchTimeout == 702 && cudaErrorAssert == 710 &&
              cudaErrorHardwareStackError == 714 && cudaErrorIllegalInstruction == 715 &&
              cudaErrorMisalignedAddress == 716 && cudaErrorInvalidAddressSpace == 717 && cudaErrorInvalidPc == 718 &&
              cudaErrorLaunchFailure == 719 && cudaErrorTensorMemoryLeak == 721 &&
              cudaErrorMpsClientTerminated == 810 && cudaErrorExternalDevice == 911);

const Driver& linked_driver() { return kDriver; }

int find_devices(int& count, char* reason, size_t size) {
  // The CUDA runtime reports a missing driver as a driver that is too old, so this function looks for the driver
  // library itself.
  if (!dlopen("libcuda.so.1", RTLD_LAZY | RTLD_GLOBAL)) {
    std::snprintf(reason, size, "there is no NVIDIA driver here (%s)", dlerror());
    return static_cast<int>(CudaAttach::NoDriver);
  }
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess && status != cudaErrorNoDevice) {
    std::snprintf(reason, size, "the NVIDIA driver does not start: %s", cudaGetErrorString(status));
    return static_cast<int>(CudaAttach::NoDriver);
  }
  if (status == cudaErrorNoDevice || count == 0) {
    std::snprintf(reason, size, "there is no CUDA device here");
    return static_cast<int>(CudaAttach::NoDevice);
  }
  return static_cast<int>(CudaAttach::Attached);
}

}  // namespace ersatz::cuda_module
