// Which storages are live, and the bytes that they take.
#pragma once

#include <map>
#include <unordered_map>

#include "fake/observe/memory_meter.h"

namespace ersatz {

/// The sums: which storages are live, and the most there ever was, by device and of all devices together.
class StorageLedger {
 public:
  /// Bytes that `add` would ask an allocator for: none where the storage is there with its size of now.
  int64_t asks(const Storage& s) const;
  /// Notes the storage as live, with its present size. Of a resized one the peak counts old and new bytes together.
  /// Returns whether it was not live before.
  bool add(const Storage& s);
  void remove(uint64_t storage_id);

  MemoryFigures figures(Device device) const;
  MemoryFigures total() const { return total_; }

 private:
  struct Entry {
    int64_t bytes;
    Device device;
  };
  void take(Device device, int64_t bytes);
  std::unordered_map<uint64_t, Entry> live_;
  std::map<std::pair<DeviceType, int>, MemoryFigures> by_device_;
  MemoryFigures total_;
};

}  // namespace ersatz
