#include "kernels/indexing/index_values.h"

#include <algorithm>

#include "runtime/copy.h"

namespace ersatz {

namespace {

std::vector<int64_t> read_indices(const Tensor& index) {
  const int64_t n = index.numel().as_int();
  std::vector<int64_t> values(static_cast<size_t>(n));
  if (n == 0) return values;
  const Tensor dense = make_real_tensor(TensorMeta(DType::I64, index.sizes()));
  copy_elements(dense, index);
  std::copy_n(dense.data<int64_t>(), n, values.begin());
  return values;
}

}  // namespace

std::vector<int64_t> checked_indices(const KernelCall& call, const Tensor& index, int64_t size, ErrorFamily family) {
  std::vector<int64_t> values = read_indices(index);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] < 0 || values[i] >= size) {
      fail_on_value(call, family, "index {} at position {} is out of range for a dim of size {}", values[i], i, size);
    }
  }
  return values;
}

std::vector<int64_t> wrapped_indices(const KernelCall& call, const Tensor& index, int64_t size, ErrorFamily family) {
  std::vector<int64_t> values = read_indices(index);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] < -size || values[i] >= size) {
      fail_on_value(call, family, "index {} at position {} is out of range for a dim of size {}", values[i], i, size);
    }
    if (values[i] < 0) values[i] += size;
  }
  return values;
}

}  // namespace ersatz
