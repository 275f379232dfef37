// The loop of draws on the CPU, and the blocks that a draw takes.
#pragma once

#include <algorithm>

#include "kernels/random/draw_elements.h"
#include "runtime/generator.h"
#include "runtime/parallel.h"

namespace ersatz {

/// Takes the blocks of n elements.
inline GeneratorState reserve_for(int64_t n, int64_t per_block, Generator& generator) {
  return generator.reserve(static_cast<uint64_t>((n + per_block - 1) / per_block));
}

template <class T, class Draw>
void draw_elements(T* out, int64_t n, Generator& generator, const Draw& draw) {
  if (n == 0) return;
  constexpr int64_t kGrain = 1 << 12;  // blocks: some 40 us of Philox
  const GeneratorState start = reserve_for(n, Draw::kPerBlock, generator);
  constexpr int64_t kEach = Draw::kPerBlock;
  parallel_for((n + kEach - 1) / kEach, kGrain, [&](int64_t b, int64_t e) {
    const auto words = [&](int64_t k) { return philox_words(start.seed, start.offset + static_cast<uint64_t>(k)); };
    const int64_t whole = std::min(e, n / kEach);
    for (int64_t k = b; k < whole; ++k) draw(out + k * kEach, Draw::kPerBlock, k * kEach, words(k));
    if (whole < e) draw(out + whole * kEach, static_cast<int>(n - whole * kEach), whole * kEach, words(whole));
  });
}

}  // namespace ersatz
