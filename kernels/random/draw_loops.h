// The loop of draws on the CPU, and the blocks that a draw takes.
#pragma once

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
  parallel_for((n + Draw::kPerBlock - 1) / Draw::kPerBlock, kGrain, [&](int64_t b, int64_t e) {
    for (int64_t k = b; k < e; ++k) {
      draw(out, n, k * Draw::kPerBlock, philox_words(start.seed, start.offset + static_cast<uint64_t>(k)));
    }
  });
}

}  // namespace ersatz
