// The CUDA runtime for the module's host objects, without a GPU. It has one device of compute capability 9.0, whose
// kernels the interpreter runs inside the launch. All work of a stream is done when its call returns.
#include <cuda_runtime_api.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "tests/ptx/checks.h"
#include "tests/ptx/device_memory.h"
#include "tests/ptx/loaded.h"
#include "tests/ptx/machine.h"
#include "tests/ptx/parser.h"
#include "tests/ptx/thread.h"

namespace ersatz::ptx {
namespace {

constexpr int kMultiprocessors = 132;
constexpr int kMostSharedBytes = 227 << 10, kMostGrid = 2147483647, kMostGridOfOthers = 65535;

thread_local cudaError_t last_error = cudaSuccess;
std::atomic<int> device_fault{0};  ///< error code that ended a kernel; as on a GPU, all later calls return it

cudaError_t failed(cudaError_t error) { return last_error = error; }
cudaError_t state() { return device_fault ? failed(static_cast<cudaError_t>(device_fault.load())) : cudaSuccess; }

void say(const char* what, const std::string& text) { std::fprintf(stderr, "ptx device: %s%s\n", what, text.c_str()); }

/// Writes the report at the end of the process, to a file of its own in the folder ERSATZ_PTX_REPORT, if that is set.
void report_at_end() {
  static const bool registered = [] {
    std::atexit([] {
      if (const char* folder = std::getenv("ERSATZ_PTX_REPORT")) Loaded::instance().write_report(folder);
      for (const auto& [what, times] : Checks::instance().found)
        say("", what + " (" + std::to_string(times) + " times)");
    });
    return true;
  }();
  (void)registered;
}

cudaError_t launch_kernel(const void* host_function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes) {
  if (device_fault) return state();
  const bool fits = grid.x > 0 && grid.x <= kMostGrid && grid.y > 0 && grid.y <= kMostGridOfOthers && grid.z > 0 &&
                    grid.z <= kMostGridOfOthers;
  if (!fits) return failed(cudaErrorInvalidConfiguration);
  std::string name = "a kernel";
  try {
    Function* const f = Loaded::instance().find_kernel(host_function);
    if (!f) return failed(cudaErrorInvalidDeviceFunction);
    name = readable(f->name);
    launch(*f, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared_bytes, arguments);
  } catch (const Fault& fault) {
    if (fault.code == kInvalidValue) return failed(cudaErrorInvalidValue);
    say("", name + ": " + fault.what());
    device_fault = fault.code;  // as on a GPU, the next call returns it
  } catch (const std::exception& e) {
    say("", name + ": " + e.what());
    return failed(cudaErrorInvalidPtx);
  }
  return cudaSuccess;
}

cudaError_t allocate(void** address, size_t bytes, bool pinned) {
  report_at_end();
  if (device_fault) return state();
  *address = DeviceMemory::instance().allocate(bytes, pinned);
  return *address ? cudaSuccess : failed(cudaErrorMemoryAllocation);
}
cudaError_t give_back(void* address) {
  if (device_fault) return state();
  if (!address || DeviceMemory::instance().free(address)) return cudaSuccess;
  say("", "a free of an address at which no living allocation begins");
  return failed(cudaErrorInvalidValue);
}

/// Are the bytes of a copy within one allocation, if they are the device's? Otherwise stores a fault of the device.
bool is_sound(const void* address, size_t bytes, const char* what) {
  DeviceMemory& memory = DeviceMemory::instance();
  const char* const fault =
      memory.holds(address) ? memory.fault_of(reinterpret_cast<uint64_t>(address), bytes) : nullptr;
  if (fault) say(what, std::string(": ") + fault);
  if (fault) device_fault = kIllegalAddress;
  return !fault;
}
cudaError_t copy(void* to, const void* from, size_t bytes) {
  if (device_fault || bytes == 0) return state();
  if (!is_sound(to, bytes, "the target of a copy") || !is_sound(from, bytes, "the source of a copy")) return state();
  std::memmove(to, from, bytes);
  DeviceMemory::instance().copy_marks(to, from, bytes);
  return cudaSuccess;
}

int attribute(cudaDeviceAttr which) {
  switch (which) {
    case cudaDevAttrComputeCapabilityMajor:
      return 9;
    case cudaDevAttrMultiProcessorCount:
      return kMultiprocessors;
    case cudaDevAttrMaxGridDimX:
      return kMostGrid;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
      return kMostGridOfOthers;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return 48 << 10;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return kMostSharedBytes;
    case cudaDevAttrWarpSize:
      return 32;
    case cudaDevAttrMemoryPoolsSupported:
      return 1;
    default:
      return 0;
  }
}

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
double& time_of(cudaEvent_t e) { return *reinterpret_cast<double*>(e); }

struct Configuration {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
};
thread_local Configuration pushed;

}  // namespace

void mark_allocation_written(const void* address) { DeviceMemory::instance().mark_allocation_written(address); }

}  // namespace ersatz::ptx

using namespace ersatz::ptx;

/// tests/ptx/count_instructions.cpp looks this function up in the module that it has loaded.
extern "C" uint64_t ersatz_ptx_instructions_run() { return instructions_run(); }

// Functions of the CUDA runtime, with CUDA's names and meanings. Only those that the module calls are here.
extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) { return Loaded::instance().add_binary(wrapper); }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void** binary, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  Loaded::instance().add_kernel(binary, host, name);
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int) {}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream) {
  pushed = {grid, block, shared_bytes, stream};
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  *grid = pushed.grid, *block = pushed.block, *shared_bytes = pushed.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = pushed.stream;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(host));
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                               cudaStream_t) {
  return launch_kernel(kernel, grid, block, arguments, shared_bytes);
}
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                                    cudaStream_t) {
  return launch_kernel(kernel, grid, block, arguments, shared_bytes);
}
cudaError_t cudaLaunchKernel(const void* host, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                             cudaStream_t) {
  return launch_kernel(host, grid, block, arguments, shared_bytes);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* host, void** arguments) {
  return launch_kernel(host, c->gridDim, c->blockDim, arguments, c->dynamicSmemBytes);
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* to, const void* host) {
  const Function* const f = Loaded::instance().find_kernel(host);
  *to = {};
  if (!f) return failed(cudaErrorInvalidDeviceFunction);
  to->maxThreadsPerBlock = f->most_threads;
  to->numRegs = 64;
  to->ptxVersion = to->binaryVersion = 90;
  to->maxDynamicSharedSizeBytes = 48 << 10;
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int value) {
  return value <= kMostSharedBytes ? cudaSuccess : failed(cudaErrorInvalidValue);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int threads, size_t,
                                                                   unsigned) {
  *blocks = threads > 1024 ? 1 : 1024 / threads;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : failed(cudaErrorInvalidDevice); }
cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
  return *value = attribute(which), cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* to, int) {
  std::memset(to, 0, sizeof *to);
  std::snprintf(to->name, sizeof to->name, "PTX device");
  to->major = 9;
  to->totalGlobalMem = DeviceMemory::kBytes / 2;
  to->multiProcessorCount = kMultiprocessors;
  to->sharedMemPerBlockOptin = kMostSharedBytes;
  to->l2CacheSize = 50 << 20;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  *total = DeviceMemory::kBytes / 2;
  *free = *total - DeviceMemory::instance().used();
  return state();
}
cudaError_t cudaMalloc(void** address, size_t bytes) { return allocate(address, bytes, false); }
cudaError_t cudaMallocAsync(void** address, size_t bytes, cudaStream_t) { return allocate(address, bytes, false); }
cudaError_t cudaMallocHost(void** address, size_t bytes) { return allocate(address, bytes, true); }
cudaError_t cudaFree(void* address) { return give_back(address); }
cudaError_t cudaFreeAsync(void* address, cudaStream_t) { return give_back(address); }
cudaError_t cudaFreeHost(void* address) { return give_back(address); }
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) { return *pool = nullptr, cudaSuccess; }
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* to, const void* address) {
  DeviceMemory& memory = DeviceMemory::instance();
  *to = {};
  to->type = !memory.holds(address)      ? cudaMemoryTypeUnregistered
             : memory.is_pinned(address) ? cudaMemoryTypeHost
                                         : cudaMemoryTypeDevice;
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind, cudaStream_t) {
  return copy(to, from, bytes);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, cudaStream_t) {
  return copy(to, from, bytes);
}
cudaError_t cudaMemsetAsync(void* address, int byte, size_t bytes, cudaStream_t) {
  if (device_fault || bytes == 0) return state();
  if (!DeviceMemory::instance().holds(address)) return failed(cudaErrorInvalidValue);
  if (!is_sound(address, bytes, "the target of a fill")) return state();
  std::memset(address, byte, bytes);
  DeviceMemory::instance().mark_written(address, bytes);
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return *stream = reinterpret_cast<cudaStream_t>(new char), cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return delete reinterpret_cast<char*>(stream), cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return state(); }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return state(); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return *event = reinterpret_cast<cudaEvent_t>(new double(0)), cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) { return delete &time_of(event), cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) { return time_of(event) = now_ms(), state(); }
cudaError_t cudaEventQuery(cudaEvent_t) { return state(); }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return state(); }
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end) {
  return *ms = static_cast<float>(time_of(end) - time_of(begin)), state();
}
cudaError_t cudaGetLastError() { return device_fault ? state() : std::exchange(last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return device_fault ? state() : last_error; }
const char* cudaGetErrorString(cudaError_t error) {
  thread_local char text[64];
  std::snprintf(text, sizeof text, "CUDA error %d", static_cast<int>(error));
  return text;
}

}  // extern "C"
