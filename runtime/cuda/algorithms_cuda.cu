// The algorithms of algorithms.h, which call CUB. This source includes CUDA headers.
#include "runtime/cuda/algorithms.h"

#include <thrust/iterator/counting_iterator.h>
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include "runtime/cuda/scratch.h"
#include "runtime/cuda/status.h"
#include "runtime/cuda/stream.h"

namespace ersatz::cuda_module {
namespace {

struct IsSet {
  __host__ __device__ int64_t operator()(uint8_t flag) const { return flag != 0; }
};

/// Calls a CUB algorithm twice: first for the size of its work space, then to run it.
template <class F>
void with_work_space(int device, F&& call) {
  DeviceScope scope(device);
  const auto stream = static_cast<cudaStream_t>(current_stream(device));
  size_t bytes = 0;
  ERSATZ_CHECK_CUDA(call(nullptr, bytes, stream));
  const DeviceScratch space(device, static_cast<int64_t>(std::max<size_t>(bytes, 1)));
  ERSATZ_CHECK_CUDA(call(space.as<void>(), bytes, stream));
}

template <class Key>
void sort(int device, int64_t n, int bits, const Key* keys, Key* sorted_keys, const int64_t* values,
          int64_t* sorted_values) {
  if (n == 0) return;
  with_work_space(device, [&](void* space, size_t& bytes, cudaStream_t stream) {
    return cub::DeviceRadixSort::SortPairs(space, bytes, keys, sorted_keys, values, sorted_values, n, 0,
                                           std::max(bits, 1), stream);
  });
}

}  // namespace

void sort_pairs(int device, int64_t n, int bits, const uint32_t* keys, uint32_t* sorted_keys, const int64_t* values,
                int64_t* sorted_values) {
  sort(device, n, bits, keys, sorted_keys, values, sorted_values);
}
void sort_pairs(int device, int64_t n, int bits, const uint64_t* keys, uint64_t* sorted_keys, const int64_t* values,
                int64_t* sorted_values) {
  sort(device, n, bits, keys, sorted_keys, values, sorted_values);
}

void running_sums(int device, int64_t n, const int64_t* from, int64_t* to) {
  if (n == 0) return;
  with_work_space(device, [&](void* space, size_t& bytes, cudaStream_t stream) {
    return cub::DeviceScan::InclusiveSum(space, bytes, from, to, n, stream);
  });
}

int64_t count_flags(int device, int64_t n, const uint8_t* flags) {
  if (n == 0) return 0;
  const DeviceScratch count(device, sizeof(int64_t));
  with_work_space(device, [&](void* space, size_t& bytes, cudaStream_t stream) {
    return cub::DeviceReduce::TransformReduce(space, bytes, flags, count.as<int64_t>(), n, ::cuda::std::plus<>(),
                                              IsSet(), int64_t(0), stream);
  });
  int64_t answer = 0;
  to_host(device, &answer, count.as<int64_t>(), sizeof answer);
  return answer;
}

void flagged_positions(int device, int64_t n, const uint8_t* flags, int64_t* positions) {
  if (n == 0) return;
  const DeviceScratch count(device, sizeof(int64_t));
  with_work_space(device, [&](void* space, size_t& bytes, cudaStream_t stream) {
    return cub::DeviceSelect::Flagged(space, bytes, thrust::counting_iterator<int64_t>(0), flags, positions,
                                      count.as<int64_t>(), n, stream);
  });
}

}  // namespace ersatz::cuda_module
