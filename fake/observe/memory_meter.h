// Measures live and peak bytes of a fake run: the bytes that a real run would request from its allocators.
//
//   MemoryMeter meter;
//   meter.watch(weights);               // tensors that exist before the run
//   {
//     ModeGuard guard(meter);
//     FakeScope scope(mode);
//     y = model(x);
//   }
//   meter.figures(kCPU).peak;
//
// Bytes are counted once per storage, not per view. They are rounded up as the device's allocator does: to 512 bytes on
// CUDA, not at all on the CPU. A storage is live as long as something owns it; the meter itself owns none. Results of
// the ops in a composite's body count. Memory that a kernel allocates for its own use does not count.
#pragma once

#include <memory>

#include "fake/observe/call_observer.h"

namespace ersatz {

struct MemoryFigures {
  int64_t live = 0;
  int64_t peak = 0;
};

/// Returns the bytes that the device's allocator takes for a request of `nbytes`; 0 on the meta device.
int64_t allocated_bytes(int64_t nbytes, Device device);
SymInt allocated_bytes(SymInt nbytes, Device device);

class MemoryMeter final : public CallObserver {
 public:
  MemoryMeter();
  ~MemoryMeter() override;
  std::string_view mode_name() const override { return "memory meter"; }

  /// Counts the storages of a tensor, or of all tensors in a list, as live.
  void watch(const Value& v);
  MemoryFigures figures(Device device);
  MemoryFigures total();

 private:
  void answered(const OpEntry& op, std::span<const Value> args, std::span<const Value> results) override;

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
