// Generators of Philox 4x32-10 random numbers, whose states can be set, saved and restored.
//
// A generator has a 64-bit seed and a 64-bit offset that counts 128-bit blocks. Block k of seed s is the output of
// Philox 4x32-10 for key s and counter k (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011). An op
// takes the blocks that it needs with `reserve` and computes them by number, so its results do not depend on the number
// of threads. docs/random.md says which numbers `rand` and `randn` take. A mutex guards the state, so any thread may
// use a generator.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>

#include "runtime/base/device.h"
#include "runtime/base/ref_count.h"

namespace ersatz {

/// Returns the four words of block `counter` for key `seed`. `counter_high` is the upper half of Philox's 128-bit
/// counter, which is 0 for all generators.
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
  /// Reserves `blocks` blocks and returns a state whose `offset` is the number of the first one.
  GeneratorState reserve(uint64_t blocks);

 private:
  mutable std::mutex mutex_;
  GeneratorState state_;
};

/// Returns the process's generator of a device. `manual_seed` seeds these generators.
Generator& default_generator(Device device = kCPU);
void manual_seed(uint64_t seed);

}  // namespace ersatz
