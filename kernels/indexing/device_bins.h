// Counts elements by bins on CUDA. If the bins fit into shared memory, each block first counts there, because in device
// memory many threads would compete for one word. Counts are integers, so the order of additions does not matter.
// Included by *_cuda.cu files.
#pragma once

#include "kernels/indexing/device_combine.h"
#include "kernels/reduction/extrema.h"

namespace ersatz::device_index {

inline constexpr int64_t kSharedBins = 8192;  ///< 32 KiB of counts

/// Kernel that counts. `Find` returns the bin of element i, or a negative number if the element is in no bin.
template <class Find>
struct CountInBlocks {
  static constexpr int kMostThreads = 512;
  Find find;
  int64_t n, part, bins;  // `part` is the number of elements of a block
  int64_t* counts;

  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    auto* const own = block.shared<int32_t>();
    for (int64_t b = block.thread(); b < bins; b += block.threads()) own[b] = 0;
    block.sync();
    const int64_t begin = block.index() * part, end = begin + part < n ? begin + part : n;
    for (int64_t i = begin + block.thread(); i < end; i += block.threads()) {
      const int64_t bin = find(i);
      if (bin >= 0) atomic_sum(own + bin, int32_t{1});
    }
    block.sync();
    for (int64_t b = block.thread(); b < bins; b += block.threads()) {
      if (own[b] != 0) atomic_sum(counts + b, int64_t{own[b]});
    }
  }
};

template <class Find>
struct CountEach {
  Find find;
  int64_t* counts;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const int64_t bin = find(i);
    if (bin >= 0) atomic_sum(counts + bin, int64_t{1});
  }
};

/// Returns an i64 tensor with the number of elements in each bin, out of n elements. REQUIRES: `find` returns numbers
/// less than `bins`.
template <class Find>
Tensor counts_of(Device device, const Find& find, int64_t n, int64_t bins) {
  const SymInt size[] = {bins};
  const Tensor counts = make_real_tensor(TensorMeta(DType::I64, size, device));
  if (bins == 0) return counts;
  auto* const to = reinterpret_cast<int64_t*>(counts.raw_data());
  ERSATZ_CHECK_CUDA(cuda_module::set(to, 0, bins * item_size(DType::I64), device.index));
  if (bins > kSharedBins) {
    cuda_module::launch_each(device.index, n, CountEach<Find>{find, to});
    return counts;
  }
  // a block with fewer elements is not worth its cost; with more elements, its int32 counts could overflow
  constexpr int64_t kLeastPart = 4096, kMostPart = int64_t(1) << 30;
  const int64_t busy = int64_t(cuda_module::device_properties(device.index).multiprocessors) * 4;
  const int64_t part = std::clamp((n + busy - 1) / busy, std::max(kLeastPart, bins), kMostPart);
  cuda_module::launch_blocks(device.index, (n + part - 1) / part, CountInBlocks<Find>::kMostThreads,
                             static_cast<size_t>(bins) * sizeof(int32_t), CountInBlocks<Find>{find, n, part, bins, to});
  return counts;
}

/// Returns the least and the largest element, on the host. Waits for the device. REQUIRES: `t` is not empty.
template <class T>
std::pair<T, T> ends_of(const Tensor& t) {
  const auto found = ops::aminmax(t);
  const auto number = [](const Tensor& of) {
    T value;
    cuda_module::to_host(of.device().index, &value, of.raw_data(), sizeof value);
    return value;
  };
  return {number(found.min), number(found.max)};
}

}  // namespace ersatz::device_index
