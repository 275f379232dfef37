// The live storages and their bytes, for MemoryMeter.
#pragma once

#include <map>
#include <unordered_map>

#include "fake/observe/memory_meter.h"

namespace ersatz {

/// Sums the bytes of live storages, with the peaks of these sums, for each device and for all devices together.
class StorageLedger {
 public:
  /// Returns the bytes that `add` would count: 0 if the storage is listed with its present size.
  int64_t asks(const Storage& s) const;
  /// Lists the storage as live with its present size. If the storage was resized, the peak counts its old and new bytes
  /// together. Returns whether the storage was not listed before.
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
