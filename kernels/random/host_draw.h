// HostDraw: runs draws on the CPU. Draws are functors that CPU and CUDA share. DeviceDraw runs them on CUDA.
#pragma once

#include <algorithm>

#include "kernels/random/draw.h"
#include "kernels/random/moments.h"
#include "runtime/base/parallel.h"
#include "runtime/base/philox.h"
#include "runtime/op/kernel.h"

namespace ersatz {

/// Runs the draws of draw_ops.h on the CPU.
struct HostDraw {
  template <class T>
  using Element = T;

  /// Fills `to` with the numbers of `draw`, using the blocks of random words from `start` on.
  template <class T, class Draw>
  static void fill(const DrawTarget& to, GeneratorState start, const Draw& draw) {
    // number of blocks of random words for one task: Philox takes some 40 us for them
    constexpr int64_t kGrain = 1 << 12;
    constexpr int64_t kEach = Draw::kPerBlock;
    T* const out = static_cast<T*>(to.data);
    parallel_for((to.n + kEach - 1) / kEach, kGrain, [&](int64_t b, int64_t e) {
      const auto words = [&](int64_t k) { return philox_words(start.seed, start.offset + static_cast<uint64_t>(k)); };
      const int64_t whole = std::min(e, to.n / kEach);
      for (int64_t k = b; k < whole; ++k) draw(out + k * kEach, Draw::kPerBlock, k * kEach, words(k));
      if (whole < e) draw(out + whole * kEach, static_cast<int>(to.n - whole * kEach), whole * kEach, words(whole));
    });
  }
  /// Calls f(i) for each i < n.
  template <class F>
  static void for_each(Device, int64_t n, const F& f) {
    parallel_for(n, 1 << 15, [&](int64_t b, int64_t e) {
      for (int64_t i = b; i < e; ++i) f(i);
    });
  }
  /// Raises an error for the first number that `Kind` (moments.h) refuses. REQUIRES: `numbers` is f64 and row-major.
  template <class Kind>
  static void require_all(const KernelCall& call, const Tensor& numbers) {
    ersatz::require_all<Kind>(call, numbers.data<double>(), numbers.numel().as_int());
  }
};

}  // namespace ersatz
