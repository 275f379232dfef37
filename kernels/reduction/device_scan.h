// Scans on CUDA devices: running sums and other running reductions along a dim.
//
// A scan is a struct whose methods run on the device:
//   using In; using State;                      State is at most 32 bytes
//   State start() const;                        the identity
//   State load(const In&, int64_t index) const; the state of one element
//   State combine(State, State) const;          associative, except for rounding
//   void store(int64_t at, const State&) const; stores the result for the element at that offset
// If there are few rows, each row is cut into chunks. A first launch computes the totals of the chunks. A second launch
// starts each chunk with the totals of the chunks before it. There are no atomics, so the order depends only on sizes.
#pragma once

#include "kernels/reduction/reduce_launch.h"
#include "runtime/cuda/launch.h"
#include "runtime/cuda/scratch.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// The sizes of a row-major tensor as [outer, n, inner]. A row has n elements at distance `inner`.
struct ScanExtent {
  int64_t outer = 1, n = 1, inner = 1;
};

inline ScanExtent scan_extent(std::span<const SymInt> sizes, int64_t dim) {
  ScanExtent e;
  const auto rank = static_cast<int64_t>(sizes.size());
  if (dim < 0) dim += rank;
  for (int64_t d = 0; d < rank; ++d) (d < dim ? e.outer : d == dim ? e.n : e.inner) *= sizes[size_t(d)].as_int();
  return e;
}

struct ScanLaunch {
  static constexpr int kMostThreads = 256;

  bool by_threads = true;      ///< one thread scans a chunk; else one block does
  int threads = kMostThreads;  ///< threads of a block
  int64_t chunks = 1;          ///< chunks of each row
};

constexpr ScanLaunch choose_scan_launch(int64_t outer, int64_t n, int64_t inner, int64_t busy) {
  ScanLaunch launch;
  const int64_t rows = outer * inner;
  if (rows < 1 || n < 1) return launch;
  launch.by_threads = inner >= 32 || n <= kShortRow;
  if (launch.by_threads) {
    // At most 32 chunks, because in the second launch each thread folds the totals of all chunks before its own.
    launch.chunks = std::clamp<int64_t>(std::min((busy + rows - 1) / rows, n / 64), 1, 32);
    return launch;
  }
  while (launch.threads > 32 && launch.threads * 4 > n) launch.threads /= 2;
  launch.chunks = std::clamp<int64_t>(std::min((busy / 256 + rows - 1) / rows, n / 8192), 1, 1024);
  return launch;
}

namespace device_scan {

template <class S>
struct Combine {
  S s;
  ERSATZ_DEVICE typename S::State operator()(const typename S::State& a, const typename S::State& b) const {
    return s.combine(a, b);
  }
};

template <class S>
struct Scan {
  static constexpr int kMostThreads = ScanLaunch::kMostThreads, kFewestBlocks = 2;
  using State = typename S::State;
  static constexpr int kItems = 4;  // adjacent elements of a thread in each tile
  static constexpr int kUnroll = sizeof(State) > 8 ? 1 : 4;

  S s;
  const typename S::In* in;
  ScanExtent e;
  ScanLaunch launch;
  State* totals;   // totals of the chunks, [rows, chunks]; null if rows have one chunk
  bool fold_only;  // true in the first launch, which only computes totals

  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    const int64_t rows = e.outer * e.inner;
    const int64_t i = launch.by_threads ? block.index() * block.threads() + block.thread() : block.index();
    if (i >= rows * launch.chunks) return;  // no block.sync follows if by_threads
    const int64_t chunk = i / rows, row = i - chunk * rows;
    const int64_t length = (e.n + launch.chunks - 1) / launch.chunks, begin = chunk * length;
    const int64_t end = begin + length < e.n ? begin + length : e.n;
    const int64_t outer = row / e.inner, base = outer * e.n * e.inner + (row - outer * e.inner);
    const int64_t first = launch.by_threads ? 0 : block.thread(), by = launch.by_threads ? 1 : block.threads();
    State state = s.start();
    if (fold_only) {
      ERSATZ_UNROLL_BY(kUnroll)
      for (int64_t k = begin + first; k < end; k += by) state = s.combine(state, s.load(in[base + k * e.inner], k));
    } else {
      ERSATZ_ROLLED
      for (int64_t c = first; c < chunk; c += by) state = s.combine(state, totals[row * launch.chunks + c]);
    }
    if (!launch.by_threads && (fold_only || chunk > 0)) state = block.reduce(state, Combine<S>{s});
    if (fold_only) {
      if (first == 0) totals[row * launch.chunks + chunk] = state;
    } else if (launch.by_threads) {
      ERSATZ_UNROLL_BY(kUnroll)
      for (int64_t k = begin; k < end; ++k) {
        const int64_t at = base + k * e.inner;
        state = s.combine(state, s.load(in[at], k));
        s.store(at, state);
      }
    } else {
      scan_block(block, base, begin, end, state);
    }
  }

 private:
  /// Scans a chunk in tiles. Each thread folds adjacent elements to a total. The totals of all threads are scanned in
  /// shared memory (Hillis and Steele, "Data Parallel Algorithms", 1986). Then each thread writes its elements,
  /// starting from the total of the threads before it.
  ERSATZ_DEVICE void scan_block(const cuda_module::Block& block, int64_t base, int64_t begin, int64_t end,
                                State carry) const {
    const int t = block.thread(), threads = block.threads();
    State* const shared = block.template shared<State>();
    ERSATZ_ROLLED
    for (int64_t tile = begin; tile < end; tile += int64_t(threads) * kItems) {
      const int64_t mine = tile + int64_t(t) * kItems;
      State items[kItems];
      State total = s.start();
      for (int k = 0; k < kItems; ++k) {
        if (mine + k < end) total = s.combine(total, s.load(in[base + (mine + k) * e.inner], mine + k));
        items[k] = total;
      }
      State* sums = shared;
      State* next = shared + threads;
      sums[t] = total;
      block.sync();
      ERSATZ_ROLLED
      for (int distance = 1; distance < threads; distance *= 2) {
        next[t] = t >= distance ? s.combine(sums[t - distance], sums[t]) : sums[t];
        State* const swap = sums;
        sums = next;
        next = swap;
        block.sync();
      }
      const State before = t > 0 ? s.combine(carry, sums[t - 1]) : carry;
      carry = s.combine(carry, sums[threads - 1]);
      for (int k = 0; k < kItems; ++k) {
        if (mine + k < end) s.store(base + (mine + k) * e.inner, s.combine(before, items[k]));
      }
      block.sync();  // waits until all threads have read the sums
    }
  }
};

}  // namespace device_scan

/// The argument of op bodies that are shared by all devices. It says that scans run on a CUDA device.
struct DeviceScans {
  static constexpr bool kOnDevice = true;
};

template <class S>
void run_scan(int device, const S& s, const typename S::In* in, const ScanExtent& e) {
  using State = typename S::State;
  const int64_t rows = e.outer * e.inner;
  if (rows * e.n == 0) return;
  const ScanLaunch launch =
      choose_scan_launch(e.outer, e.n, e.inner, busy_threads(cuda_module::device_properties(device).multiprocessors));
  const int64_t work = rows * launch.chunks;
  const cuda_module::DeviceScratch scratch(device, launch.chunks > 1 ? work * static_cast<int64_t>(sizeof(State)) : 0);
  device_scan::Scan<S> scan{s, in, e, launch, scratch.as<State>(), launch.chunks > 1};
  const int64_t blocks = launch.by_threads ? (work + launch.threads - 1) / launch.threads : work;
  const size_t shared = launch.by_threads ? 0 : 2 * sizeof(State) * static_cast<size_t>(launch.threads);
  if (launch.chunks > 1) cuda_module::launch_blocks(device, blocks, launch.threads, shared, scan);
  scan.fold_only = false;
  cuda_module::launch_blocks(device, blocks, launch.threads, shared, scan);
}

}  // namespace ersatz
