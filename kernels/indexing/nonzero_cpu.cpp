#include <vector>

#include "runtime/copy.h"
#include "runtime/kernel.h"

namespace ersatz::op_nonzero {

void run_cpu(KernelCall& call, Values& results) {
  const Tensor self = call.tensor(0);
  const int64_t n = self.numel().as_int(), rank = self.dim();
  std::vector<int64_t> found;  // row-major positions
  if (n > 0) {
    const Tensor truth = make_real_tensor(TensorMeta(DType::Bool, self.sizes()));
    copy_elements(truth, self);
    const bool* t = truth.data<bool>();
    for (int64_t i = 0; i < n; ++i)
      if (t[i]) found.push_back(i);
  }
  const int64_t count = static_cast<int64_t>(found.size());
  const SymInt sizes[] = {count, rank}, strides[] = {1, count};
  const Tensor out = make_real_tensor(TensorMeta(DType::I64, sizes, strides));
  int64_t* at = count > 0 && rank > 0 ? out.data<int64_t>() : nullptr;
  for (int64_t d = rank - 1; d >= 0 && at; --d) {
    const int64_t size = self.sizes()[d].as_int();
    for (int64_t i = 0; i < count; ++i) {
      at[d * count + i] = found[i] % size;
      found[i] /= size;
    }
  }
  results.push_back(out);
}

}  // namespace ersatz::op_nonzero
