// A draw on CUDA: a thread for each block of random words.
#pragma once

#include "kernels/random/draw_elements.h"
#include "runtime/cuda/launch.h"
#include "runtime/generator.h"

namespace ersatz {

template <class T, class Draw>
struct DrawBlocks {
  T* out;
  int64_t n;
  uint64_t seed, offset;
  Draw draw;
  ERSATZ_DEVICE void operator()(int64_t block) const {
    draw(out, n, block * Draw::kPerBlock, philox_words(seed, offset + static_cast<uint64_t>(block)));
  }
};

template <class T, class Draw>
void draw_on_device(int device, T* out, int64_t n, GeneratorState start, const Draw& draw) {
  cuda_module::launch_each(device, (n + Draw::kPerBlock - 1) / Draw::kPerBlock,
                           DrawBlocks<T, Draw>{out, n, start.seed, start.offset, draw});
}

}  // namespace ersatz
