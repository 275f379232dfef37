// Where storages get their bytes.
//
// The host allocator gives blocks aligned to 64 bytes and counts what is live and what was the peak. The CUDA
// allocator is attached by libersatz_cuda.so when the first real CUDA tensor is made. Any thread.
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
  /// Uninitialised memory. REQUIRES: nbytes > 0. InvalidArgument when memory is exhausted.
  virtual void* allocate(int64_t nbytes, Device device) = 0;
  virtual void deallocate(void* p, int64_t nbytes, Device device) noexcept = 0;
  virtual AllocatorFigures figures() const = 0;
  virtual void reset_peak() = 0;
};

Allocator& host_allocator();
/// The allocator of a device. For CUDA this loads the CUDA module, or raises NotSupported saying why it cannot.
Allocator& allocator_for(Device device);

/// While one lives, the host allocator refuses blocks of more than `nbytes` on this thread: untrusted
/// calls may ask for more memory than there is, which a system that overcommits would grant. Limits nest; the innermost
/// one holds.
class AllocationLimit {
 public:
  explicit AllocationLimit(int64_t nbytes);
  ~AllocationLimit();
  AllocationLimit(const AllocationLimit&) = delete;
  AllocationLimit& operator=(const AllocationLimit&) = delete;

 private:
  const int64_t before_;
};

/// Bytes between devices (host to host included). Loads the CUDA module where it is needed.
void copy_bytes(void* to, Device to_device, const void* from, Device from_device, int64_t nbytes);
/// Every byte of a device's memory (the host's included) set to `byte`.
void set_bytes(void* at, Device device, std::byte byte, int64_t nbytes);

}  // namespace ersatz
