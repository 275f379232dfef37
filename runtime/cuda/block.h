// A block of threads: the index of a thread, the barrier, shared memory, and reductions over the block.
//
// All threads of a block must call `sync`, `from_lane`, `of_lane` and `reduce` together, in the same order. The number
// of threads is a multiple of 32.
#pragma once

#include "runtime/cuda/device_code.h"
#if !defined(__CUDACC__)
#include "runtime/cuda/emulated_team.h"
#endif

namespace ersatz::cuda_module {

class Block {
 public:
  static constexpr int kWarp = 32;
  static constexpr size_t kScratchBytes = 1024;  ///< bytes of shared memory that `reduce` uses

#if defined(__CUDACC__)
  ERSATZ_DEVICE explicit Block(int64_t index) : index_(index) {}
  ERSATZ_DEVICE int64_t index() const { return index_; }
  ERSATZ_DEVICE int thread() const { return static_cast<int>(threadIdx.x); }
  ERSATZ_DEVICE int threads() const { return static_cast<int>(blockDim.x); }
  ERSATZ_DEVICE void sync() const { __syncthreads(); }
#else
  explicit Block(emulated::Team& team) : team_(&team) {}
  int64_t index() const { return team_->block(); }
  int thread() const { return team_->thread(); }
  int threads() const { return team_->threads(); }
  void sync() const { team_->sync(); }
#endif
  ERSATZ_DEVICE int lane() const { return thread() % kWarp; }

  /// Returns the shared memory that the launch asked for, 16-byte aligned.
  template <class T>
  ERSATZ_DEVICE T* shared() const {
    return reinterpret_cast<T*>(memory() + kScratchBytes);
  }

  /// Returns the value of the lane `distance` lanes after this one; at the end of the warp, this lane's own value.
  template <class T>
  ERSATZ_DEVICE T from_lane(const T& value, int distance) const {
    static_assert(sizeof(T) <= 32);
#if defined(__CUDA_ARCH__)
    return shuffled<true>(value, distance);
#elif !defined(__CUDACC__)
    T result = value;
    team_->exchange(&value, &result, sizeof(T), distance);
    return result;
#else
    return value;
#endif
  }
  /// Returns the value of lane `lane` of this warp.
  template <class T>
  ERSATZ_DEVICE T of_lane(const T& value, int lane) const {
    static_assert(sizeof(T) <= 32);
#if defined(__CUDA_ARCH__)
    return shuffled<false>(value, lane);
#else
    return from_lane(value, lane - this->lane());
#endif
  }

  /// Combines the values of all threads and returns the result on every thread. The order of combining depends only on
  /// the number of threads. T is trivially copyable and has at most 32 bytes.
  template <class T, class Combine>
  ERSATZ_DEVICE T reduce(T value, Combine combine) const {
    return reduce_warps(reduce_lanes(value, combine, lane(), kWarp), combine);
  }
  /// Combines the values of each group of `width` neighbouring threads. `width` is 1, 2, 4, ... 32, or the whole block.
  template <class T, class Combine>
  ERSATZ_DEVICE T reduce(T value, Combine combine, int width) const {
    const int lanes = width < kWarp ? width : kWarp, place = lane() & (lanes - 1);
    value = reduce_lanes(value, combine, place, lanes);
    return width > kWarp ? reduce_warps(value, combine) : of_lane(value, lane() - place);
  }

 private:
  static constexpr int kFewWarps = 4;

  /// Combines the values that the first lane of each warp has.
  template <class T, class Combine>
  ERSATZ_DEVICE T reduce_warps(const T& value, Combine combine) const {
    static_assert(sizeof(T) * (1024 / kWarp) <= kScratchBytes);
    T* sums = reinterpret_cast<T*>(memory());
    sync();  // other threads may still read `sums` of an earlier reduction
    if (lane() == 0) sums[thread() / kWarp] = value;
    sync();
    const int warps = threads() / kWarp;
    if (warps > kFewWarps) {  // each warp combines all sums by itself, in the same order
      return of_lane(reduce_lanes(sums[lane() < warps ? lane() : 0], combine, lane(), warps), 0);
    }
    T total = sums[0];
    ERSATZ_ROLLED
    for (int w = 1; w < warps; ++w) total = combine(total, sums[w]);
    return total;
  }
  /// Combines the values of the lanes at places 0 to width - 1; the lane at place 0 gets the result. For types of more
  /// than 8 bytes the loop is not unrolled, so that `combine` is compiled only once. Unrolling would save little,
  /// because `combine` costs more than the loop itself.
  template <class T, class Combine>
  ERSATZ_DEVICE T reduce_lanes(T value, Combine combine, int place, int width) const {
    ERSATZ_UNROLL_BY(sizeof(T) > 8 ? 1 : 5)
    for (int distance = kWarp / 2; distance > 0; distance /= 2) {
      if (distance >= width) continue;
      const T other = from_lane(value, distance);
      if (place + distance < width) value = combine(value, other);
    }
    return value;
  }
#if defined(__CUDA_ARCH__)
  /// Returns the value of lane `from`; if kFurther, of the lane `from` lanes after this one.
  template <bool kFurther, class T>
  ERSATZ_DEVICE static T shuffled(const T& value, int from) {
    constexpr int kWords = (sizeof(T) + 3) / 4;
    uint32_t words[kWords] = {};
    memcpy(words, &value, sizeof(T));
    ERSATZ_UNROLL
    for (int i = 0; i < kWords; ++i) {
      words[i] = kFurther ? __shfl_down_sync(0xffffffffu, words[i], from) : __shfl_sync(0xffffffffu, words[i], from);
    }
    T result = value;
    memcpy(&result, words, sizeof(T));
    return result;
  }
#endif
#if defined(__CUDACC__)
  ERSATZ_DEVICE static char* memory() {
    extern __shared__ __align__(16) char block_memory[];
    return block_memory;
  }
  int64_t index_;
#else
  char* memory() const { return team_->memory(); }
  emulated::Team* team_;
#endif
};

}  // namespace ersatz::cuda_module
