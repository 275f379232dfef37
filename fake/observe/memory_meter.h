// Live and peak bytes of a fake run: what the real run would ask its allocators for.
//
//   MemoryMeter meter;
//   meter.watch(weights);               // what exists before the run
//   {
//     ModeGuard guard(meter);
//     FakeScope scope(mode);
//     y = model(x);
//   }
//   meter.figures(kCPU).peak;
//
// Bytes are counted by storage, views once, rounded up as the device's allocator does (512 bytes on cuda, none on the
// host). A storage lives as long as it has owners, of which the meter is none. Parts of composite ops are seen; what a
// kernel allocates for itself is not.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "fake/observe/call_observer.h"

namespace ersatz {

struct MemoryFigures {
  int64_t live = 0;
  int64_t peak = 0;
};

/// What the device's allocator takes for so many bytes.
int64_t allocated_bytes(int64_t nbytes, Device device);
SymInt allocated_bytes(SymInt nbytes, Device device);

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

class MemoryMeter final : public CallObserver {
 public:
  std::string_view mode_name() const override { return "memory meter"; }

  /// The storages of a tensor or list are live from now on.
  void watch(const Value& v);
  MemoryFigures figures(Device device);
  MemoryFigures total();

 private:
  struct Seen {
    uint64_t id;
    WeakRef<Storage> storage;
  };
  void answered(const OpEntry& op, std::span<const Value> args, std::span<const Value> results) override;
  void see(const Ref<Storage>& s);
  void forget_dead(std::vector<Seen>& seen);

  StorageLedger ledger_;
  // Storages die unnoticed; they are looked for only when the peak would move. Most die young, so the old ones are
  // looked through only if that did not help.
  std::vector<Seen> young_, old_;
  size_t sort_out_at_ = 1024;  // so many young ones are looked through in any case
};

}  // namespace ersatz
