// repeat_interleave on CUDA: each result is found by a binary search in the running sums of the counts.
#include "kernels/indexing/device_index.h"
#include "kernels/indexing/found_output.h"
#include "kernels/shape/repeat_interleave.h"
#include "kernels/shape/repeat_total.h"
#include "runtime/cuda/algorithms.h"

namespace ersatz::op_repeat_interleave {
namespace {

using namespace device_index;

/// Sets `flag` if a count is negative or if a running sum overflowed 64 bits, which makes the sum negative.
struct FlagNegative {
  const int64_t* counts;
  const int64_t* sums;
  uint32_t* flag;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    if (counts[i] < 0 || sums[i] < 0) cuda_module::atomic_or(flag, 1);
  }
};

/// Writes to[j] = the number of running sums that are at most j: the index that result j repeats.
struct LookUp {
  int64_t* to;
  const int64_t* sums;
  int64_t n;
  ERSATZ_DEVICE void operator()(int64_t j) const {
    int64_t low = 0, high = n;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      const bool behind = sums[middle] > j;
      (behind ? high : low) = behind ? middle : middle + 1;
    }
    to[j] = low;
  }
};

Tensor indices_of(const KernelCall& call) {
  const Tensor repeats = call.tensor(kOfRepeats["repeats"]);
  const int64_t n = repeats.numel().as_int();
  const int device = repeats.device().index;
  const Tensor counts = dense_as(repeats, DType::I64);
  const cuda_module::DeviceScratch sums(device, n * 8);
  int64_t total = 0;
  if (n > 0) {
    const auto* data = reinterpret_cast<const int64_t*>(counts.raw_data());
    cuda_module::running_sums(device, n, data, sums.as<int64_t>());
    const cuda_module::DeviceFlag flag(device);
    cuda_module::launch_each(device, n, FlagNegative{data, sums.as<int64_t>(), flag.address()});
    if (flag.read() != 0) total_repeats(call, IndexValues(moved_to(kCPU, counts)));
    cuda_module::to_host(device, &total, sums.as<int64_t>() + (n - 1), sizeof total);
  }
  require_output_size(call, total);
  const SymInt sizes[] = {total};
  const Tensor indices = make_real_tensor(TensorMeta(DType::I64, sizes, repeats.device()));
  if (total > 0) {
    cuda_module::launch_each(device, total,
                             LookUp{reinterpret_cast<int64_t*>(indices.raw_data()), sums.as<int64_t>(), n});
  }
  return dense_as(indices, repeats.dtype());
}

void run_cuda(KernelCall& call, Values& results) { results.push_back(indices_of(call)); }

void out_cuda(KernelCall& call, Values& results) {
  const Tensor out = call.tensor(kRepeatInterleaveTensorOut["out"]), found = indices_of(call);
  put_found(call, out, found, results);
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach_returns(registry, "aten.repeat_interleave.Tensor", run_cuda);
  cuda_module::attach_returns(registry, "aten.repeat_interleave.Tensor_out", out_cuda);
}

}  // namespace ersatz::op_repeat_interleave
