// The functions of the CUDA runtime that the module calls, as one table.
//
// libersatz_cuda.so fills it from the CUDA runtime (driver_cuda.cpp), libersatz_cuda_emulated.so from the host
// (tests/emulated_cuda/driver.cpp), tests from fakes of their own. Everything else in the module is written against
// this header and includes no CUDA header. Functions return 0 or a CUDA error code; handles are CUDA's own, untyped.
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
  int shared_bytes_per_block = 48 << 10;  ///< with opt-in
  int64_t l2_bytes = 0;
};

inline constexpr int kMaxDevices = 128;  ///< a device index is seven bits
inline constexpr int kOutOfMemory = 2;   ///< cudaErrorMemoryAllocation
inline constexpr int kNotReady = 600;    ///< cudaErrorNotReady: a query's result for unfinished work, not a failure

struct Driver {
  const char* (*error_text)(int code);
  int (*take_last_error)();  ///< returns the last error and clears it, unless it is sticky
  int (*device_count)(int* count);
  int (*properties)(int device, DeviceProperties* properties);
  int (*get_device)(int* device);
  int (*set_device)(int device);
  int (*free_bytes)(int64_t* free, int64_t* total);  ///< of the current device

  int (*malloc_async)(void** address, size_t nbytes, StreamHandle stream);
  int (*free_async)(void* address, StreamHandle stream);
  int (*keep_pool_memory)(int device);                ///< makes the pool keep freed memory
  int (*trim_pool)(int device, size_t keep);          ///< returns unused memory, except `keep` bytes, to the driver
  int (*malloc_host)(void** address, size_t nbytes);  ///< pinned
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
  int (*event_query)(EventHandle event);  ///< 0, kNotReady or a failure
  int (*event_synchronize)(EventHandle event);
  int (*event_elapsed)(float* milliseconds, EventHandle begin, EventHandle end);

  /// The compute capabilities that the module's kernels are compiled for, as `80,90`: runtime/cuda/machine_code.h.
  const char* built_for;

  /// Whether pools should keep freed memory. False on the emulated device, which checks a block when it is freed.
  bool worth_caching = true;

  /// Whether this host memory is pinned. Null function: unknown, treated as not pinned.
  bool (*is_pinned)(const void* address) = nullptr;
};

/// The table in use.
const Driver& driver();
/// The table that the module was linked with.
const Driver& linked_driver();
/// Replaces the table (tests of the bookkeeping above it); null restores the linked one. REQUIRES: no work is running.
void use_driver(const Driver* table);
/// 0 for the linked table; each other table in use has its own number.
int driver_number();

/// The device's properties by the table, queried once.
const DeviceProperties& device_properties(int device);

/// Looks for a driver library and a device. Sets `count`; sets `reason` if one of them is missing, else leaves it.
int find_devices(int& count, char* reason, size_t size);

}  // namespace ersatz::cuda_module
