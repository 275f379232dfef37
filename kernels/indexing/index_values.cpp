#include "kernels/indexing/index_values.h"

#include <algorithm>

#include "runtime/op/copy.h"

namespace ersatz {

IndexValues::IndexValues(const Tensor& index) : dense_(index) {
  const int64_t n = index.numel().as_int();
  if (n == 0) return;
  if (index.dtype() != DType::I64 || !index.is_contiguous() || index.meta().neg) {
    dense_ = make_real_tensor(TensorMeta(DType::I64, index.sizes()));
    copy_elements(dense_, index);
  }
  values_ = {reinterpret_cast<const int64_t*>(dense_.raw_data()), static_cast<size_t>(n)};
}

std::string index_words(int64_t index, int64_t position, int64_t size) {
  const std::string at = position < 0 ? "" : fmt::format(" at position {}", position);
  return fmt::format("index {}{} is out of range for a dim of size {}", index, at, size);
}

IndexValues checked_indices(const KernelCall& call, const Tensor& index, int64_t size, ErrorFamily family) {
  IndexValues values(index);
  bool all_in = true;  // no early exit, because usually all indices are in range
  for (int64_t v : values) all_in &= static_cast<uint64_t>(v) < static_cast<uint64_t>(size);
  for (size_t i = 0; !all_in && i < values.size(); ++i) {
    if (values[i] < 0 || values[i] >= size) {
      fail_on_value(call, family, "{}", index_words(values[i], static_cast<int64_t>(i), size));
    }
  }
  return values;
}

std::vector<int64_t> wrapped_indices(const KernelCall& call, const Tensor& index, int64_t size, ErrorFamily family) {
  const IndexValues read(index);
  std::vector<int64_t> values(read.begin(), read.end());
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] < -size || values[i] >= size) {
      fail_on_value(call, family, "{}", index_words(values[i], static_cast<int64_t>(i), size));
    }
    if (values[i] < 0) values[i] += size;
  }
  return values;
}

}  // namespace ersatz
