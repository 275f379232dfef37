// A block of threads that work on one thing: who am I, wait for the others, memory that we share, a reduction over us.
//
// Threads of a block call `sync`, `from_lane` and `reduce` together: all of them, in the same order. The number of
// threads is a multiple of 32.
#pragma once

#include "runtime/cuda/device_code.h"
#if !defined(__CUDACC__)
#include "runtime/cuda/emulated/team.h"
#endif

namespace ersatz::cuda_module {

class Block {
 public:
  static constexpr int kWarp = 32;
  static constexpr size_t kScratchBytes = 1024;  ///< of shared memory, for `reduce`

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

  /// The shared memory that the launch asked for, 16-byte aligned.
  template <class T>
  ERSATZ_DEVICE T* shared() const {
    return reinterpret_cast<T*>(memory() + kScratchBytes);
  }

  /// The value of the lane `distance` further on in this warp (of this one itself at the end).
  template <class T>
  ERSATZ_DEVICE T from_lane(const T& value, int distance) const {
    static_assert(sizeof(T) <= 32);
#if defined(__CUDA_ARCH__)
    constexpr int kWords = (sizeof(T) + 3) / 4;
    uint32_t words[kWords] = {};
    memcpy(words, &value, sizeof(T));
    ERSATZ_UNROLL
    for (int i = 0; i < kWords; ++i) words[i] = __shfl_down_sync(0xffffffffu, words[i], distance);
    T result = value;
    memcpy(&result, words, sizeof(T));
    return result;
#elif !defined(__CUDACC__)
    T result = value;
    team_->exchange(&value, &result, sizeof(T), distance);
    return result;
#else
    return value;
#endif
  }

  /// combine over the values of all threads, in an order that depends on nothing but the number of threads; every
  /// thread gets it. T is trivially copyable, at most 32 bytes.
  template <class T, class Combine>
  ERSATZ_DEVICE T reduce(T value, Combine combine) const {
    static_assert(sizeof(T) * (1024 / kWarp) <= kScratchBytes);
    ERSATZ_UNROLL
    for (int distance = kWarp / 2; distance > 0; distance /= 2) {
      const T other = from_lane(value, distance);
      if (lane() + distance < kWarp) value = combine(value, other);
    }
    T* sums = reinterpret_cast<T*>(memory());
    sync();  // an earlier reduction may still be read
    if (lane() == 0) sums[thread() / kWarp] = value;
    sync();
    T total = sums[0];
    for (int w = 1; w < threads() / kWarp; ++w) total = combine(total, sums[w]);
    return total;
  }

 private:
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
