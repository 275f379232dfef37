// Philox 4x32-10 random numbers: seedable, state saved and restored.
//
// A generator is a 64-bit seed and a 64-bit offset that counts 128-bit blocks. Block k of seed s is the Philox 4x32-10
// output for key s and counter k (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011). An op takes
// the blocks it needs with `reserve` and numbers them itself, so results do not depend on the number of threads.
// docs/random.md documents which numbers `rand` and `randn` take. Any thread: `reserve` and the state are guarded.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>

#include "runtime/base/device.h"
#include "runtime/base/ref_count.h"

namespace ersatz {

/// The four words of block `counter` under `seed`. `counter_high` is the upper half of Philox's 128-bit counter, which
/// generators leave 0.
std::array<uint32_t, 4> philox_4x32_10(uint64_t seed, uint64_t counter, uint64_t counter_high = 0);

struct GeneratorState {
  uint64_t seed = 0;
  uint64_t offset = 0;
  bool operator==(const GeneratorState&) const = default;
};

class Generator final : public RefCounted {
 public:
  explicit Generator(uint64_t seed = 0) : state_{seed, 0} {}
  void manual_seed(uint64_t seed);
  GeneratorState state() const;
  void set_state(GeneratorState state);
  /// Reserves `blocks` blocks; returns the state whose `offset` is the number of the first one.
  GeneratorState reserve(uint64_t blocks);

 private:
  mutable std::mutex mutex_;
  GeneratorState state_;
};

/// The process's generator of a device, as `manual_seed` users expect it.
Generator& default_generator(Device device = kCPU);
void manual_seed(uint64_t seed);

}  // namespace ersatz
