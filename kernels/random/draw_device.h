// A draw on CUDA: a thread for each block of random words, which stores its elements at once.
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
  bool aligned;

  struct alignas(sizeof(T) * Draw::kPerBlock) Together {
    T element[Draw::kPerBlock];
  };
  ERSATZ_DEVICE void operator()(int64_t block) const {
    const int64_t e = block * Draw::kPerBlock;
    const PhiloxWords words = philox_words(seed, offset + static_cast<uint64_t>(block));
    T* const to = out + e;
    if (aligned && e + Draw::kPerBlock <= n) {
      Together all;
      draw(all.element, Draw::kPerBlock, e, words);
      *reinterpret_cast<Together*>(to) = all;
    } else {
      const int64_t left = n - e;
      draw(to, static_cast<int>(left < Draw::kPerBlock ? left : Draw::kPerBlock), e, words);
    }
  }
};

template <class T, class Draw>
void draw_on_device(int device, T* out, int64_t n, GeneratorState start, const Draw& draw) {
  cuda_module::launch_each(device, (n + Draw::kPerBlock - 1) / Draw::kPerBlock,
                           DrawBlocks<T, Draw>{out, n, start.seed, start.offset, draw,
                                               reinterpret_cast<uintptr_t>(out) % (sizeof(T) * Draw::kPerBlock) == 0});
}

}  // namespace ersatz
