// The optional CUDA half of ersatz: libersatz_cuda.so, loaded when the first *real* CUDA tensor is made.
//
// libersatz.so links no CUDA library. The module libersatz_cuda.so does: it hands over the functions below and attaches
// its kernels to the registry. Fake tensors on `cuda:N` never load the module.
//
// The module is in the folder of libersatz.so, unless the environment variable ERSATZ_CUDA_MODULE names another file. A
// process loads the module once, at the first request, and never unloads it. If loading fails, this and every later
// request raise the same error. Any thread may request the module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/base/context.h"
#include "runtime/tensor/allocator.h"

namespace ersatz {

struct OpEntry;
namespace cuda_module {
struct Driver;
}

/// Properties of a GPU, for BackendRecord and for messages.
struct CudaDevice {
  int capability = 0;  ///< 90 for sm_90
  int64_t total_bytes = 0;
  char name[256] = {};
};

/// Figures of the memory pool for the tensors of one device.
struct CudaMemory {
  int64_t live_bytes = 0, peak_bytes = 0;               ///< bytes in use; the size of each block is rounded up to 512
  int64_t cached_bytes = 0;                             ///< free blocks that the pool keeps for later requests
  int64_t reserved_bytes = 0, peak_reserved_bytes = 0;  ///< bytes that the pool holds from the driver
  int64_t allocations = 0, driver_calls = 0;            ///< numbers of calls since the start
};

/// The functions of the module. A function that returns an int returns 0 or a CUDA error code, which `error_text`
/// explains. It may raise an error instead if it has more to say (runtime/cuda/status.h); `deallocate` never raises.
/// Device -1 is the host. Allocations, fills and copies are queued on this thread's current stream of the device. A
/// copy from or to the host has ended when it returns.
struct CudaFunctions {
  const char* (*error_text)(int code) = nullptr;
  int (*device)(int index, CudaDevice* device) = nullptr;
  int (*allocate)(void** address, int64_t nbytes, int device) = nullptr;
  int (*deallocate)(void* address, int device) = nullptr;
  int (*copy)(void* to, int to_device, const void* from, int from_device, int64_t nbytes) = nullptr;
  int (*set)(void* address, int byte, int64_t nbytes, int device) = nullptr;
  int (*synchronize)(int device) = nullptr;
  int device_count = 0;
  // The functions below may be null.
  void (*memory)(int device, CudaMemory* memory) = nullptr;
  void (*reset_peak)(int device) = nullptr;
  void (*empty_cache)(int device) = nullptr;
  /// Tells the pool that another stream (a cudaStream_t) uses the block at `address`. The pool reuses the block only
  /// after the work of that stream has ended.
  void (*record_stream)(const void* address, int device, void* stream) = nullptr;
  /// Sets this thread's current stream of `device` and returns the previous one. Null is the default stream.
  void* (*exchange_stream)(int device, void* stream) = nullptr;
  const cuda_module::Driver* driver = nullptr;  ///< direct access to CUDA, for tests and benchmarks
  /// Returns the version numbers of cuBLAS and cuDNN in the libraries' own encoding, 0 for a missing library. Loads
  /// both libraries.
  void (*library_versions)(int* cublas, int* cudnn) = nullptr;
  /// Must be called before the caller destroys a stream that was current or was passed to `record_stream`. It waits for
  /// the stream's work and moves its blocks to the default stream. Without this call, the pool would later free these
  /// blocks in the order of a destroyed stream.
  void (*stream_ended)(int device, void* stream) = nullptr;
  /// Raises the failure that a kernel of an earlier call has recorded on any device (runtime/cuda/deferred_failure.h).
  /// Every call on a device begins with this function, so for speed it calls no function of the driver.
  void (*raise_noted)() = nullptr;
};

/// The result of attaching the module. The order of the values is part of the binary interface.
enum class CudaAttach : int { Attached = 0, WrongVersion, NoDriver, NoDevice, MissingOp };

/// The module's function `ersatz_cuda_attach`: attaches the kernels to the registry, fills in `functions` and returns a
/// CudaAttach. Unless it returns Attached, it sets `reason`.
using CudaAttachFunction = int (*)(uint32_t abi, CudaFunctions* functions, char* reason, size_t reason_size);
/// The module's function `ersatz_cuda_list`: attaches the kernels to the registry, and works without a driver or a
/// device.
using CudaListFunction = int (*)(uint32_t abi, char* reason, size_t reason_size);
inline constexpr uint32_t kCudaModuleAbi = 6;

/// Returns the functions of the module, which the first call loads. Raises NotSupported if the module, the driver or a
/// device is missing. The message says how to get the missing part.
const CudaFunctions& cuda_functions();
/// Returns whether the module is loaded and attached. Never loads it.
bool cuda_module_loaded();
/// Attaches the module's kernels to the registry, for tables of all kernels. It needs the module, but neither driver
/// nor device. If the module cannot be loaded, it returns false and sets `reason`.
bool list_cuda_kernels(std::string& reason);
/// Loads the module and returns the number of CUDA devices; 0 if the module, the driver or the GPU is missing.
int cuda_device_count();

/// Returns the capability of a real CUDA device and the versions of cuBLAS and cuDNN, for rules. Loads these libraries.
BackendRecord backend_of(Device device);

/// Raises NotSupported unless `code`, which one of the functions above returned, is 0: `cuda:0: copy of 96 bytes
/// failed: ...`.
void check_cuda(int code, Device device, const char* what, int64_t nbytes);

/// Returns the allocator of real CUDA tensors. Its figures are sums over all devices.
Allocator& cuda_allocator();
/// Returns the figures of the device's memory pool; zeros if the module counts no memory.
CudaMemory cuda_memory(Device device);
/// Returns the pool's free blocks of `device` to the driver.
void cuda_empty_cache(Device device);
/// Returns the op whose CUDA kernel this thread is running, for error messages; null outside of a kernel.
const OpEntry* running_cuda_op();

/// Copies bytes between two devices. REQUIRES: at least one of them is a CUDA device.
void cuda_copy_bytes(void* to, Device to_device, const void* from, Device from_device, int64_t nbytes);
/// Sets bytes on the device's current stream, so after all earlier work of that stream.
void cuda_set_bytes(void* at, Device device, std::byte byte, int64_t nbytes);

}  // namespace ersatz
