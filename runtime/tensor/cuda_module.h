// The optional CUDA half of ersatz: libersatz_cuda.so, loaded when the first *real* CUDA tensor is made.
//
// libersatz.so links no CUDA library. Everything that does is in the module, which hands over the functions below and
// attaches its kernels to the registry. Fake tensors on `cuda:N` need neither: they never come here.
//
// The module is in the folder of libersatz.so; the environment variable ERSATZ_CUDA_MODULE names another file. A
// process loads it once, at the first request, and never unloads it. A failure is stored and raised again for each
// later request. Any thread.
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

/// Properties of a GPU for a rule's backend record and for messages.
struct CudaDevice {
  int capability = 0;  ///< 90 for sm_90
  int64_t total_bytes = 0;
  char name[256] = {};
};

/// Figures of the memory pool of a device's tensors.
struct CudaMemory {
  int64_t live_bytes = 0, peak_bytes = 0;               ///< as asked, each block rounded to 512
  int64_t cached_bytes = 0;                             ///< free, kept for later requests
  int64_t reserved_bytes = 0, peak_reserved_bytes = 0;  ///< taken from the driver
  int64_t allocations = 0, driver_calls = 0;            ///< so far
};

/// The functions of the module. Those that return an int return 0 or a CUDA error code that `error_text` explains, or
/// raise where they can say more (runtime/cuda/status.h); `deallocate` never raises. Device -1 is the host. Allocation,
/// fills and copies are ordered as work of this thread's current stream of the device; a copy from or to the host has
/// ended when it returns.
struct CudaFunctions {
  const char* (*error_text)(int code) = nullptr;
  int (*device)(int index, CudaDevice* device) = nullptr;
  int (*allocate)(void** address, int64_t nbytes, int device) = nullptr;
  int (*deallocate)(void* address, int device) = nullptr;
  int (*copy)(void* to, int to_device, const void* from, int from_device, int64_t nbytes) = nullptr;
  int (*set)(void* address, int byte, int64_t nbytes, int device) = nullptr;
  int (*synchronize)(int device) = nullptr;
  int device_count = 0;
  // A module need not have the rest.
  void (*memory)(int device, CudaMemory* memory) = nullptr;
  void (*reset_peak)(int device) = nullptr;
  void (*empty_cache)(int device) = nullptr;
  /// Another stream (cudaStream_t) works with the block at `address`, which is reused only after that work.
  void (*record_stream)(const void* address, int device, void* stream) = nullptr;
  /// Makes a stream this thread's current one; returns the previous one. Null is the default stream.
  void* (*exchange_stream)(int device, void* stream) = nullptr;
  const cuda_module::Driver* driver = nullptr;  ///< CUDA itself, for tests and benchmarks
  /// Version numbers as the libraries count them, 0 for a missing one. Loads both.
  void (*library_versions)(int* cublas, int* cudnn) = nullptr;
  /// Called when a stream of the caller's own is about to be destroyed that was a current one, or was recorded as a
  /// user of blocks. Waits for its work; its blocks belong to the default stream from now on. Without this the pool
  /// would later free them in the order of a stream that is gone.
  void (*stream_ended)(int device, void* stream) = nullptr;
  /// Raises the failure that a kernel of an earlier call has recorded, on any device (runtime/cuda/deferred_failure.h).
  /// Every call on a device begins with this function, so it makes no call of the driver.
  void (*raise_noted)() = nullptr;
};

/// The result of an attempt to attach. The order is part of the binary interface.
enum class CudaAttach : int { Attached = 0, WrongVersion, NoDriver, NoDevice, MissingOp };

/// The module's one entry, `extern "C" int ersatz_cuda_attach(...)`: attaches the kernels to the registry, fills in
/// `functions` and returns a CudaAttach; unless that is Attached, `reason` says why.
using CudaAttachFunction = int (*)(uint32_t abi, CudaFunctions* functions, char* reason, size_t reason_size);
/// The module's other entry, `ersatz_cuda_list`: attaches the kernels and asks for no driver and no device.
using CudaListFunction = int (*)(uint32_t abi, char* reason, size_t reason_size);
inline constexpr uint32_t kCudaModuleAbi = 6;

/// Loads the module on the first call. Raises NotSupported that names the missing part and says how to get it: no
/// module built, no driver, no device.
const CudaFunctions& cuda_functions();
/// Is the module loaded and attached? Never loads it.
bool cuda_module_loaded();
/// Makes the module's kernels known to the registry, for tables of what there is: needs the module, but neither driver
/// nor device. False, with the reason, where there is no module.
bool list_cuda_kernels(std::string& reason);
/// Number of devices, 0 where the module, the driver or the GPU is missing. Loads the module.
int cuda_device_count();

/// Returns a real device's capability and the versions of its libraries, for rules. Loads the libraries.
BackendRecord backend_of(Device device);

/// Raises for a code other than 0 that one of the functions returned: `cuda:0: copy of 96 bytes failed: ...`.
void check_cuda(int code, Device device, const char* what, int64_t nbytes);

/// The allocator behind real CUDA tensors, with figures over all devices.
Allocator& cuda_allocator();
/// Zeros where the module counts nothing.
CudaMemory cuda_memory(Device device);
/// Returns cached memory to the device.
void cuda_empty_cache(Device device);
/// The op whose CUDA kernel this thread runs, for error messages; null outside of a kernel.
const OpEntry* running_cuda_op();

/// Copies bytes between devices. REQUIRES: at least one of them is CUDA.
void cuda_copy_bytes(void* to, Device to_device, const void* from, Device from_device, int64_t nbytes);
/// Sets bytes, ordered after earlier work of the device's current stream, like a kernel.
void cuda_set_bytes(void* at, Device device, std::byte byte, int64_t nbytes);

}  // namespace ersatz
