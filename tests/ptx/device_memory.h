// The device's memory: allocations with their exact ends, freed allocations, and a mark for each byte that was written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace ersatz::ptx {

/// One region of addresses. Allocations begin at multiples of 256 bytes, with unused bytes between them. Recently freed
/// memory is not reused at once.
class DeviceMemory {
 public:
  static constexpr size_t kBytes = size_t(24) << 30;  ///< size of the region; half of it can be allocated

  static DeviceMemory& instance();

  /// Returns null if no memory is left. `pinned`: host memory that is also the device's.
  void* allocate(size_t bytes, bool pinned);
  /// Returns false if no live allocation begins at the address.
  bool free(void* address);
  size_t used() const { return used_; }

  bool holds(const void* address) const { return offset_of(address) < kBytes; }
  bool is_pinned(const void* address);
  /// Returns why an access to these bytes is a fault (freed memory, beyond an allocation). Null if it is no fault.
  const char* fault_of(uint64_t address, size_t bytes);

  void mark_written(const void* address, size_t bytes);
  /// Marks the target bytes of a copy as written if their source bytes are.
  void copy_marks(const void* to, const void* from, size_t bytes);
  void mark_allocation_written(const void* address);
  /// Returns whether all these bytes were written. True for pinned memory, which the host writes, and for memory that
  /// is not the device's.
  bool is_written(uint64_t address, size_t bytes);

 private:
  struct Allocation {
    uint64_t begin = 0, end = 0;
    bool lives = false, pinned = false;
  };
  DeviceMemory();
  uint64_t offset_of(const void* address) const { return reinterpret_cast<uint64_t>(address) - begin_; }
  Allocation* find(uint64_t address);

  uint64_t begin_ = 0;
  uint8_t* written_ = nullptr;      // one mark per byte
  uint32_t* allocation_ = nullptr;  // per granule the index of its allocation; 0: none yet
  std::vector<Allocation> allocations_;
  std::unordered_map<size_t, std::vector<uint64_t>> freed_;  // offsets, by size in granules
  uint64_t top_ = 0;
  size_t used_ = 0;
  std::recursive_mutex mutex_;
};

}  // namespace ersatz::ptx
