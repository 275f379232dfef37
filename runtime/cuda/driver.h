// The functions of the CUDA runtime that the module calls, as one table.
//
// libersatz_cuda.so fills the table with functions of the CUDA runtime (driver_cuda.cpp), libersatz_cuda_emulated.so
// with functions of the host (tests/emulated_cuda/driver.cpp), and some tests with fakes. All other code of the module
// calls this table and includes no CUDA header. Functions return 0 or a CUDA error code; handles are CUDA's own,
// without their types.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ersatz::cuda_module {

using StreamHandle = void*;  ///< cudaStream_t; null: the default stream
using EventHandle = void*;   ///< cudaEvent_t

struct DeviceProperties {
  char name[256] = {};
  int capability = 0;  ///< 90 for sm_90
  int64_t total_bytes = 0;
  int multiprocessors = 1;
  int shared_bytes_per_block = 48 << 10;  ///< after opting in to more than 48 KiB
  int64_t l2_bytes = 0;
};

inline constexpr int kMaxDevices = 128;  ///< Device::index has seven bits
inline constexpr int kOutOfMemory = 2;   ///< cudaErrorMemoryAllocation
inline constexpr int kNotReady = 600;    ///< cudaErrorNotReady: a query's result for unfinished work, not a failure

struct Driver {
  const char* (*error_text)(int code);
  int (*take_last_error)();  ///< returns the last error and clears it, unless it is sticky
  int (*device_count)(int* count);
  int (*properties)(int device, DeviceProperties* properties);
  int (*get_device)(int* device);
  int (*set_device)(int device);
  int (*free_bytes)(int64_t* free, int64_t* total);  ///< bytes of the current device's memory

  int (*malloc_async)(void** address, size_t nbytes, StreamHandle stream);
  int (*free_async)(void* address, StreamHandle stream);
  int (*keep_pool_memory)(int device);                ///< makes the pool keep freed memory
  int (*trim_pool)(int device, size_t keep);          ///< returns unused memory to the driver, but keeps `keep` bytes
  int (*malloc_host)(void** address, size_t nbytes);  ///< allocates pinned memory
  int (*free_host)(void* address);

  int (*copy_async)(void* to, const void* from, size_t nbytes, StreamHandle stream);
  int (*copy_peer_async)(void* to, int to_device, const void* from, int from_device, size_t nbytes, StreamHandle);
  int (*set_async)(void* address, int byte, size_t nbytes, StreamHandle stream);

  int (*stream_create)(StreamHandle* stream);
  int (*stream_destroy)(StreamHandle stream);
  int (*stream_synchronize)(StreamHandle stream);
  int (*stream_wait_event)(StreamHandle stream, EventHandle event);
  int (*event_create)(EventHandle* event, bool timing);
  int (*event_destroy)(EventHandle event);
  int (*event_record)(EventHandle event, StreamHandle stream);
  int (*event_query)(EventHandle event);  ///< returns 0, kNotReady or an error code
  int (*event_synchronize)(EventHandle event);
  int (*event_elapsed)(float* milliseconds, EventHandle begin, EventHandle end);

  /// The compute capabilities that the module's kernels are compiled for, as `80,90` (runtime/cuda/machine_code.h).
  const char* built_for;

  /// Whether Pool should keep freed memory. False on the emulated device, which checks a block when it is freed.
  bool worth_caching = true;

  /// Returns whether host memory is pinned. If the function is null, memory is treated as not pinned.
  bool (*is_pinned)(const void* address) = nullptr;
};

/// Returns the table in use.
const Driver& driver();
/// Returns the table that the module was linked with.
const Driver& linked_driver();
/// Replaces the table, for tests of the code that uses it; null restores the linked table. REQUIRES: no work is
/// running.
void use_driver(const Driver* table);
/// Returns the number of the table in use: 0 for the linked table, and a new number for each call of use_driver.
int driver_number();

/// Returns the device's properties, which are read from the table only once.
const DeviceProperties& device_properties(int device);

/// Looks for a driver library and a device, and sets `count`. If one of them is missing, it sets `reason`. Returns a
/// CudaAttach.
int find_devices(int& count, char* reason, size_t size);

}  // namespace ersatz::cuda_module
