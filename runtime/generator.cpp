// Philox 4x32-10 and the process's generators.
#include "runtime/generator.h"

namespace ersatz {

std::array<uint32_t, 4> philox_4x32_10(uint64_t seed, uint64_t counter, uint64_t counter_high) {
  // Multipliers and key increments (Weyl sequences) of the paper's table 2.
  constexpr uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  uint32_t key0 = static_cast<uint32_t>(seed), key1 = static_cast<uint32_t>(seed >> 32);
  uint32_t c0 = static_cast<uint32_t>(counter), c1 = static_cast<uint32_t>(counter >> 32);
  uint32_t c2 = static_cast<uint32_t>(counter_high), c3 = static_cast<uint32_t>(counter_high >> 32);
  for (int round = 0; round < 10; ++round) {
    uint64_t p0 = kMultiplier0 * c0, p1 = kMultiplier1 * c2;
    uint32_t hi0 = static_cast<uint32_t>(p0 >> 32), hi1 = static_cast<uint32_t>(p1 >> 32);
    c0 = hi1 ^ c1 ^ key0;
    c2 = hi0 ^ c3 ^ key1;
    c1 = static_cast<uint32_t>(p1);
    c3 = static_cast<uint32_t>(p0);
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
  return {c0, c1, c2, c3};
}

void Generator::manual_seed(uint64_t seed) { set_state({seed, 0}); }

GeneratorState Generator::state() const {
  std::lock_guard guard(mutex_);
  return state_;
}

void Generator::set_state(GeneratorState state) {
  std::lock_guard guard(mutex_);
  state_ = state;
}

GeneratorState Generator::reserve(uint64_t blocks) {
  std::lock_guard guard(mutex_);
  GeneratorState taken = state_;
  state_.offset += blocks;
  return taken;
}

Generator& default_generator(Device device) {
  // One for the host (meta draws nothing from it) and one a CUDA device; never destroyed, as they may be used at exit.
  static auto* generators = new std::array<Ref<Generator>, 129>([] {
    std::array<Ref<Generator>, 129> all;
    for (Ref<Generator>& g : all) g = make_ref<Generator>();
    return all;
  }());
  return *(*generators)[device.is_cuda() ? 1 + static_cast<size_t>(resolve(device).index) : 0];
}

void manual_seed(uint64_t seed) {
  default_generator(kCPU).manual_seed(seed);
  for (int i = 0; i < 128; ++i) default_generator(cuda(i)).manual_seed(seed);
}

}  // namespace ersatz
