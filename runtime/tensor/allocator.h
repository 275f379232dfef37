// Allocators of storages' bytes.
//
// The host allocator returns blocks aligned to 64 bytes and counts live and peak bytes. libersatz_cuda.so attaches the
// CUDA allocator when the first real CUDA tensor is made. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/base/device.h"

namespace ersatz {

struct AllocatorFigures {
  int64_t live_bytes = 0;
  int64_t peak_bytes = 0;
  int64_t allocations = 0;  ///< number of calls so far
};

class Allocator {
 public:
  virtual ~Allocator() = default;
  /// Returns uninitialised memory. REQUIRES: nbytes > 0. Raises InvalidArgument when memory is exhausted.
  virtual void* allocate(int64_t nbytes, Device device) = 0;
  virtual void deallocate(void* p, int64_t nbytes, Device device) noexcept = 0;
  virtual AllocatorFigures figures() const = 0;
  virtual void reset_peak() = 0;
};

Allocator& host_allocator();
/// Returns the allocator of a device. For CUDA it loads the CUDA module, or raises NotSupported with the reason.
Allocator& allocator_for(Device device);

/// While an object lives, the host allocator refuses blocks of more than `nbytes` on this thread. Untrusted calls may
/// ask for more memory than exists, and a system that overcommits would grant it. Limits nest; the innermost one
/// applies.
class AllocationLimit {
 public:
  explicit AllocationLimit(int64_t nbytes);
  ~AllocationLimit();
  AllocationLimit(const AllocationLimit&) = delete;
  AllocationLimit& operator=(const AllocationLimit&) = delete;

 private:
  const int64_t before_;
};

/// Copies bytes between devices (host to host included). Loads the CUDA module if needed.
void copy_bytes(void* to, Device to_device, const void* from, Device from_device, int64_t nbytes);
/// Sets each byte of a device's memory (or the host's) to `byte`.
void set_bytes(void* at, Device device, std::byte byte, int64_t nbytes);

}  // namespace ersatz
