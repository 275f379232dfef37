// What the module needs of the CUDA runtime, as one table of plain functions.
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
inline constexpr int kNotReady = 600;    ///< cudaErrorNotReady: a query's "not yet", no failure

struct Driver {
  const char* (*error_text)(int code);
  int (*take_last_error)();  ///< and forgets it, unless it is sticky
  int (*device_count)(int* count);
  int (*properties)(int device, DeviceProperties* properties);
  int (*get_device)(int* device);
  int (*set_device)(int device);
  int (*free_bytes)(int64_t* free, int64_t* total);  ///< of the current device

  int (*malloc_async)(void** address, size_t nbytes, StreamHandle stream);
  int (*free_async)(void* address, StreamHandle stream);
  int (*keep_pool_memory)(int device);                ///< the pool keeps what is freed
  int (*trim_pool)(int device, size_t keep);          ///< gives unused memory back, but for `keep` bytes
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

  /// The compute capabilities that the module's kernels were compiled for, as `80,90`: runtime/cuda/machine_code.h.
  const char* built_for;

  /// Whether pools should keep what is freed. Not on the emulated device, which looks at a block when it is freed.
  bool worth_caching = true;

  /// Is this memory of the host pinned? Null: none is known to be.
  bool (*is_pinned)(const void* address) = nullptr;
};

/// The table in use.
const Driver& driver();
/// What the module was linked with.
const Driver& linked_driver();
/// Puts another table in use (tests of the bookkeeping above it); null: the linked one again. Not while work runs.
void use_driver(const Driver* table);
/// 0 for the linked table; each other one that is put in use has a number of its own.
int driver_number();

/// What the table says about a device, asked once.
const DeviceProperties& device_properties(int device);

/// Whether there is a driver library and a device. Empty reason: yes. Fills `count`.
int find_devices(int& count, char* reason, size_t size);

}  // namespace ersatz::cuda_module
