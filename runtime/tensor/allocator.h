// Allocators of the bytes of storages.
//
// The host allocator returns blocks aligned to 64 bytes and counts live and peak bytes. When the first real CUDA tensor
// is made, libersatz_cuda.so is loaded and attaches the CUDA allocator. Any thread may call allocators.
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
  /// Returns uninitialised memory. REQUIRES: nbytes > 0. Raises InvalidArgument if there is not enough memory.
  virtual void* allocate(int64_t nbytes, Device device) = 0;
  virtual void deallocate(void* p, int64_t nbytes, Device device) noexcept = 0;
  virtual AllocatorFigures figures() const = 0;
  virtual void reset_peak() = 0;
};

Allocator& host_allocator();
/// Returns the allocator of a device. For a CUDA device it loads the CUDA module, and raises NotSupported with the
/// reason if that fails.
Allocator& allocator_for(Device device);

/// While an AllocationLimit is alive, the host allocator refuses blocks of more than `nbytes` on this thread. Untrusted
/// calls may ask for more memory than exists, and a system that overcommits would grant it. Limits nest; the innermost
/// one applies.
class AllocationLimit {
 public:
  explicit AllocationLimit(int64_t nbytes);
  ~AllocationLimit();
  AllocationLimit(const AllocationLimit&) = delete;
  AllocationLimit& operator=(const AllocationLimit&) = delete;

 private:
  const int64_t before_;
};

/// Copies bytes between two devices, of which both may be the host. Loads the CUDA module if one is a CUDA device.
void copy_bytes(void* to, Device to_device, const void* from, Device from_device, int64_t nbytes);
/// Sets `nbytes` bytes at `at`, which is memory of `device`, to `byte`.
void set_bytes(void* at, Device device, std::byte byte, int64_t nbytes);

}  // namespace ersatz
