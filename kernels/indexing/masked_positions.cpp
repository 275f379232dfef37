#include "kernels/indexing/masked_positions.h"

#include <algorithm>

#include "runtime/op/copy.h"

namespace ersatz {

std::vector<Tensor> masked_positions(const Tensor& mask) {
  const int64_t n = mask.numel().as_int(), rank = mask.dim();
  std::vector<int64_t> found;
  if (n > 0) {
    const Tensor truth = make_real_tensor(TensorMeta(DType::Bool, mask.sizes()));
    copy_elements(truth, mask);
    const bool* t = truth.data<bool>();
    for (int64_t i = 0; i < n; ++i) {
      if (t[i]) found.push_back(i);
    }
  }
  const SymInt count[] = {static_cast<int64_t>(found.size())};
  std::vector<Tensor> positions(static_cast<size_t>(std::max<int64_t>(rank, 1)));
  for (size_t d = positions.size(); d-- > 0;) {
    positions[d] = make_real_tensor(TensorMeta(DType::I64, count));
    if (found.empty()) continue;
    const int64_t size = rank == 0 ? 1 : mask.sizes()[d].as_int();
    int64_t* to = positions[d].data<int64_t>();
    for (size_t i = 0; i < found.size(); ++i) {
      to[i] = found[i] % size;
      found[i] /= size;
    }
  }
  return positions;
}

}  // namespace ersatz
