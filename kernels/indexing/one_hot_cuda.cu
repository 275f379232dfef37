// one_hot on CUDA.
#include "kernels/indexing/device_index.h"
#include "kernels/indexing/one_hot.h"
#include "kernels/pointwise/long_offsets.h"

namespace ersatz::op_one_hot {
namespace {

using namespace device_index;

constexpr int64_t kMostParts = 1024;

struct Larger {
  ERSATZ_DEVICE int64_t operator()(int64_t a, int64_t b) const { return a < b ? b : a; }
};

/// Kernel that computes, for each of `parts` parts of the values, the largest value, or 0 if all are negative.
struct LargestOfParts {
  const int64_t* values;
  int64_t n, parts;
  int64_t* largest;
  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    int64_t mine = 0;
    for (int64_t i = block.index() * block.threads() + block.thread(); i < n; i += parts * block.threads()) {
      mine = values[i] > mine ? values[i] : mine;
    }
    const int64_t all = block.reduce(mine, Larger());
    if (block.thread() == 0) largest[block.index()] = all;
  }
};

int64_t largest(int device, const int64_t* values, int64_t n) {
  const int threads = 256;
  const int64_t parts = std::min(kMostParts, (n + threads - 1) / threads);
  const cuda_module::DeviceScratch found(device, (parts + 1) * 8);
  int64_t* of_parts = found.as<int64_t>() + 1;
  cuda_module::launch_blocks(device, parts, threads, 0, LargestOfParts{values, n, parts, of_parts});
  cuda_module::launch_blocks(device, 1, threads, 0, LargestOfParts{of_parts, parts, 1, found.as<int64_t>()});
  int64_t answer = 0;
  cuda_module::to_host(device, &answer, found.as<int64_t>(), sizeof answer);
  return answer;
}

struct MarkClasses {
  int64_t* rows;
  const int64_t* values;
  pointwise::LongDivisor classes;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const int64_t row = classes.divide(i);
    rows[i] = values[row] == i - row * classes.divisor;
  }
};

void run_cuda(KernelCall& call, Values& results) {
  const Tensor self = dense_input(call.tensor(kOneHot["self"]));
  const int64_t n = self.numel().as_int();
  int64_t classes = call.integer(kOneHot["num_classes"]);
  const bool counts = classes == -1;  // the host waits for the device, because it reads the maximum
  note_outside(checked(call, self, self.device(), counts ? INT64_MAX : classes, ErrorFamily::Runtime,
                       counts || checks_at_once()));
  const auto* values = n == 0 ? nullptr : reinterpret_cast<const int64_t*>(self.raw_data());
  if (counts) classes = largest(self.device().index, values, n) + 1;
  DimVec sizes(self.sizes());
  sizes.push_back(classes);
  const Tensor out = make_real_tensor(TensorMeta(DType::I64, sizes, self.device()));
  if (n > 0 && classes > 0) {
    cuda_module::launch_each(
        self.device().index, n * classes,
        MarkClasses{reinterpret_cast<int64_t*>(out.raw_data()), values, pointwise::LongDivisor(classes)});
  }
  results.push_back(out);
}

}  // namespace

void attach_cuda(Registry& registry) { cuda_module::attach_returns(registry, "aten.one_hot.default", run_cuda); }

}  // namespace ersatz::op_one_hot
