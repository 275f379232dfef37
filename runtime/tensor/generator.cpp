// The random number generators of the process.
#include "runtime/tensor/generator.h"

#include "runtime/base/philox.h"

namespace ersatz {

std::array<uint32_t, 4> philox_4x32_10(uint64_t seed, uint64_t counter, uint64_t counter_high) {
  const PhiloxWords w = philox_words(seed, counter, counter_high);
  return {w.word[0], w.word[1], w.word[2], w.word[3]};
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
  // One generator for the host and one for each CUDA device; meta tensors draw no numbers. The generators are never
  // destroyed, because code that runs at exit may use them.
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
