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

#include <memory>

#include "fake/observe/call_observer.h"

namespace ersatz {

struct MemoryFigures {
  int64_t live = 0;
  int64_t peak = 0;
};

/// What the device's allocator takes for so many bytes.
int64_t allocated_bytes(int64_t nbytes, Device device);
SymInt allocated_bytes(SymInt nbytes, Device device);

class MemoryMeter final : public CallObserver {
 public:
  MemoryMeter();
  ~MemoryMeter() override;
  std::string_view mode_name() const override { return "memory meter"; }

  /// The storages of a tensor or list are live from now on.
  void watch(const Value& v);
  MemoryFigures figures(Device device);
  MemoryFigures total();

 private:
  void answered(const OpEntry& op, std::span<const Value> args, std::span<const Value> results) override;

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
