// bincount on CUDA. Weights are summed as in scatter_add: in deterministic mode, in the order of the elements.
#include "kernels/indexing/bincount_plan.h"
#include "kernels/indexing/device_bins.h"
#include "kernels/indexing/scatter.h"

namespace ersatz::op_bincount {
namespace {

using namespace device_index;

struct NumberItself {
  const int64_t* numbers;
  ERSATZ_DEVICE int64_t operator()(int64_t i) const { return numbers[i]; }
};

void run_cuda(KernelCall& call, Values& results) {
  const Tensor self = dense_as(call.tensor(kBincount["self"]), DType::I64);
  const int64_t n = self.numel().as_int();
  SymInt bins = call.integer(kBincount["minlength"]);
  if (n > 0) {
    const auto [least, most] = ends_of<int64_t>(self);
    bins = count_of_bins(call, least, most);
  }
  if (n == 0 || !call.has(kBincount["weights"])) {
    const NumberItself find{n == 0 ? nullptr : reinterpret_cast<const int64_t*>(self.raw_data())};
    return results.push_back(counts_of(self.device(), find, n, bins.as_int()));
  }
  const Tensor weights = call.tensor(kBincount["weights"]);
  Tensor sums = make_real_tensor(TensorMeta(sums_dtype(weights.dtype()), std::span(&bins, 1), self.device()));
  fill_with(sums, 0.0);
  ops::scatter_add_(sums, 0, self, dense_as(weights, sums.dtype()));
  results.push_back(sums);
}

}  // namespace

void attach_cuda(Registry& registry) { cuda_module::attach_returns(registry, "aten.bincount.default", run_cuda); }

}  // namespace ersatz::op_bincount
