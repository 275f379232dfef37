// Launching device functors.
//
//   struct Fill { float* to; float value; ERSATZ_DEVICE void operator()(int64_t i) const { to[i] = value; } };
//   launch_each(device, n, Fill{to, 1});                    one call per index
//   launch_blocks(device, rows, 256, 0, SumRows{...});      blocks of threads that work together (Block)
//
// Launches queue work on the device's current stream and do not wait. A launch that fails raises an error with the name
// of the functor. Functors are copied to the device: they have pointers and numbers, at most 4,000 bytes, and are
// structs, because nvcc takes no lambda from inside a template lambda. On the emulated device a launch runs the functor
// at once.
#pragma once

#include <algorithm>
#include <typeinfo>

#include "runtime/cuda/block.h"
#include "runtime/cuda/status.h"
#include "runtime/cuda/stream.h"
#if !defined(__CUDACC__)
#include "runtime/cuda/emulated_launch.h"
#endif

namespace ersatz::cuda_module {

inline constexpr int kThreadsOfEach = 256;
inline constexpr int64_t kMostBlocks = int64_t(1) << 20;  ///< if there are more elements, each thread processes several

/// The most threads in a block of the functor: kMostThreads of the functor if it has one, else 1,024, a device's limit.
/// Fewer threads leave each thread more registers: 64 with 1,024 threads, 128 with 512.
template <class Body>
inline constexpr int kMostThreadsOf = 1024;
template <class Body>
requires requires { Body::kMostThreads; }
inline constexpr int kMostThreadsOf<Body> = Body::kMostThreads;

/// The number of blocks of the functor that must fit on a multiprocessor. 0: the compiler chooses, and may spill
/// registers to fit one more block.
template <class Body>
inline constexpr int kFewestBlocksOf = 0;
template <class Body>
requires requires { Body::kFewestBlocks; }
inline constexpr int kFewestBlocksOf<Body> = Body::kFewestBlocks;

inline void require_threads(int threads, int most) {
  ERSATZ_ASSERT(threads <= most, "a block of {} threads, where its kernel is compiled for at most {}", threads, most);
}

/// Returns the number of blocks of `threads` threads that a loop over n elements starts.
constexpr int64_t blocks_for(int64_t n, int threads) { return std::min(kMostBlocks, (n + threads - 1) / threads); }

#if defined(__CUDACC__)

// The functor parameter is a __grid_constant__: functions that are not inlined read the parameter itself. Without it,
// each thread would copy the functor to its local memory.
template <class Body>
__global__ void __launch_bounds__(kThreadsOfEach, kFewestBlocksOf<Body>)
    each_kernel(const __grid_constant__ Body body, int64_t n) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  // The loop almost always has one pass. If it were unrolled, it would begin with a division to count the passes.
  ERSATZ_ROLLED
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) body(i);
}

template <class Body>
__global__ void __launch_bounds__(kMostThreadsOf<Body>, kFewestBlocksOf<Body>)
    blocks_kernel(const __grid_constant__ Body body, int64_t blocks) {
  for (int64_t b = blockIdx.x; b < blocks; b += gridDim.x) {
    if (b != blockIdx.x)
      __syncthreads();  // waits until all threads have finished with the shared memory of the
                        // previous block
    body(Block(b));
  }
}

/// Launches kernel(*body, n). This function is no template, so that it is compiled once for all types of functors.
[[gnu::noinline]] inline void launch_kernel(int device, const void* kernel, const char* name, int64_t blocks,
                                            int threads, size_t shared_bytes, const void* body, int64_t n) {
  DeviceScope scope(device);
  if (shared_bytes > (48u << 10)) {
    ERSATZ_CHECK_CUDA(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)));
  }
  void* arguments[] = {const_cast<void*>(body), &n};
  cudaLaunchKernel(kernel, dim3(static_cast<unsigned>(blocks)), dim3(static_cast<unsigned>(threads)), arguments,
                   shared_bytes, static_cast<cudaStream_t>(current_stream(device)));
  check(cudaGetLastError(), name, __FILE__, __LINE__);
}

template <class Body>
void launch_each(int device, int64_t n, const Body& body) {
  static_assert(sizeof(Body) <= 4000, "functors go as kernel parameters");
  if (n <= 0) return;
  launch_kernel(device, reinterpret_cast<const void*>(&each_kernel<Body>), typeid(Body).name(),
                blocks_for(n, kThreadsOfEach), kThreadsOfEach, 0, &body, n);
}

template <class Body>
void launch_blocks(int device, int64_t blocks, int threads, size_t shared_bytes, const Body& body) {
  static_assert(sizeof(Body) <= 4000, "functors go as kernel parameters");
  require_threads(threads, kMostThreadsOf<Body>);
  if (blocks <= 0) return;
  launch_kernel(device, reinterpret_cast<const void*>(&blocks_kernel<Body>), typeid(Body).name(),
                std::min(kMostBlocks, blocks), threads, Block::kScratchBytes + shared_bytes, &body, blocks);
}

#else

template <class Body>
void launch_each(int device, int64_t n, const Body& body) {
  static_assert(sizeof(Body) <= 4000, "functors go as kernel parameters");
  const emulated::FunctorCopies<Body> copies(body);
  emulated::launch_each(device, copies.functor(), n, [](const void* functor, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) (*static_cast<const Body*>(functor))(i);
  });
}

template <class Body>
void launch_blocks(int device, int64_t blocks, int threads, size_t shared_bytes, const Body& body) {
  static_assert(sizeof(Body) <= 4000, "functors go as kernel parameters");
  require_threads(threads, kMostThreadsOf<Body>);
  const emulated::FunctorCopies<Body> copies(body);
  emulated::launch_blocks(
      device, copies.functor(), blocks, threads, Block::kScratchBytes + shared_bytes,
      [](const void* functor, emulated::Team& team) { (*static_cast<const Body*>(functor))(Block(team)); });
}

#endif

/// Returns the number of threads of a block for a row of n elements: a power of two, from 32 to `most`.
constexpr int threads_for_row(int64_t n, int most = 512) {
  int threads = 32;
  while (threads < most && threads < n) threads *= 2;
  return threads;
}

}  // namespace ersatz::cuda_module
