#include <algorithm>

#include "kernels/dense_operand.h"
#include "kernels/indexing/bincount_plan.h"
#include "runtime/op/copy.h"

namespace ersatz::op_bincount {
namespace {

Tensor dense_as(const Tensor& t, DType dtype) {
  const Tensor dense = make_real_tensor(TensorMeta(dtype, t.sizes()));
  copy_elements(dense, t);
  return dense;
}

template <class T>
void add_up(std::span<const int64_t> numbers, const T* weights, const Tensor& out) {
  T* sums = out.data<T>();
  std::fill_n(sums, out.numel().as_int(), T(0));
  for (size_t i = 0; i < numbers.size(); ++i) sums[numbers[i]] += weights ? weights[i] : T(1);
}

}  // namespace

void run_cpu(KernelCall& call, Values& results) {
  const Tensor self = call.tensor(kBincount["self"]);
  const auto n = static_cast<size_t>(self.numel().as_int());
  SymInt length = call.integer(kBincount["minlength"]);
  std::span<const int64_t> numbers;
  Tensor dense, weights;
  if (n > 0) {
    dense = dense_as(self, DType::I64);
    numbers = {dense.data<int64_t>(), n};
    const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
    length = count_of_bins(call, *least, *most);
    weights = call.tensor(kBincount["weights"]);
  }
  const DType dtype = weights ? sums_dtype(weights.dtype()) : DType::I64;
  const Tensor out = make_real_tensor(TensorMeta(dtype, std::span(&length, 1)));
  if (weights) weights = dense_as(weights, dtype);
  if (length.as_int() > 0) {
    if (dtype == DType::I64) add_up<int64_t>(numbers, nullptr, out);
    if (dtype == DType::F32) add_up(numbers, weights.data<float>(), out);
    if (dtype == DType::F64) add_up(numbers, weights.data<double>(), out);
  }
  results.push_back(out);
}

}  // namespace ersatz::op_bincount
