// Counting elements by bins on CUDA. Where the bins fit a block's shared memory, each block counts there first: many
// elements of one bin would queue for its one word in the device's memory. Counts are whole numbers: the order in which
// threads add them does not show. Included by *_cuda.cu files.
#pragma once

#include "kernels/indexing/device_combine.h"
#include "kernels/reduction/extrema.h"

namespace ersatz::device_index {

inline constexpr int64_t kSharedBins = 8192;  ///< 32 KiB of counts

/// `Find` answers with the bin of element i, a negative one for none.
template <class Find>
struct CountInBlocks {
  static constexpr int kMostThreads = 512;
  Find find;
  int64_t n, part, bins;  // `part`: elements of a block
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

/// How many of n elements are in each of the bins, i64. Bins that `find` answers with are below `bins`.
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
  constexpr int64_t kLeastPart = 4096, kMostPart = int64_t(1) << 30;  // what is worth a block; what its words can count
  const int64_t busy = int64_t(cuda_module::device_properties(device.index).multiprocessors) * 4;
  const int64_t part = std::clamp((n + busy - 1) / busy, std::max(kLeastPart, bins), kMostPart);
  cuda_module::launch_blocks(device.index, (n + part - 1) / part, CountInBlocks<Find>::kMostThreads,
                             static_cast<size_t>(bins) * sizeof(int32_t), CountInBlocks<Find>{find, n, part, bins, to});
  return counts;
}

/// The least and the largest element, on the host: waits. REQUIRES: elements.
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
