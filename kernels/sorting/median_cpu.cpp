#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "kernels/sorting/median.h"
#include "kernels/sorting/order.h"
#include "kernels/sorting/rows_along.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_median {
namespace {

/// Returns the index of the median of n elements. Equal elements are ordered by position. `order` is scratch memory.
template <class T>
int64_t find(const T* x, int64_t step, int64_t n, bool pass_nan, std::vector<int64_t>& order) {
  using C = Compute_t<T>;
  const auto value = [&](int64_t i) { return C(x[i * step]); };
  int64_t nans = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (!is_nan(value(i))) continue;
    if (!pass_nan) return i;
    ++nans;
  }
  order.resize(size_t(n));
  std::iota(order.begin(), order.end(), 0);
  const auto middle = order.begin() + (nans == n ? (n - 1) / 2 : (n - nans - 1) / 2);
  std::nth_element(order.begin(), middle, order.end(), [&](int64_t a, int64_t b) {
    const C x = value(a), y = value(b);
    return ascending(x, y) || (!ascending(y, x) && a < b);
  });
  return *middle;
}

void along_dim(KernelCall& call, bool pass_nan) {
  const Tensor self = without_lazy_bits(call.tensor(kMedianDim["self"])), &values = call.outputs[0],
               &indices = call.outputs[1];
  if (values.numel().as_int() == 0) return;
  const RowsAlong<3> rows(call.integer(kMedianDim["dim"]), {&self, &values, &indices});
  dispatch_dtype<kReals>(self.dtype(), [&]<class T>() {
    const T* in = reinterpret_cast<const T*>(self.raw_data());
    T* out = reinterpret_cast<T*>(values.raw_data());
    parallel_for(rows.rows, std::max<int64_t>(1, (1 << 13) / (rows.n + 1)), [&](int64_t begin, int64_t end) {
      std::vector<int64_t> order;
      for (int64_t r = begin; r < end; ++r) {
        const auto [from, to, at] = rows.at(r);
        const int64_t found = find(in + from, rows.step[0], rows.n, pass_nan, order);
        out[to] = in[from + found * rows.step[0]];
        indices.data<int64_t>()[at] = found;
      }
    });
  });
}

void whole(KernelCall& call, bool pass_nan) {
  const Tensor self = dense_input(call.tensor(kMedian["self"])), &out = call.outputs[0];
  const int64_t n = self.numel().as_int();
  if (n == 0) {
    const Tensor nan = make_real_tensor(TensorMeta(DType::F32, out.sizes()));
    *nan.data<float>() = std::numeric_limits<float>::quiet_NaN();
    copy_elements(out, nan);
    return;
  }
  dispatch_dtype<kReals>(self.dtype(), [&]<class T>() {
    const T* in = reinterpret_cast<const T*>(self.raw_data());
    std::vector<int64_t> order;
    *reinterpret_cast<T*>(out.raw_data()) = in[find(in, 1, n, pass_nan, order)];
  });
}

}  // namespace

void run_median_cpu(KernelCall& call) { whole(call, false); }
void run_nanmedian_cpu(KernelCall& call) { whole(call, true); }
void run_median_dim_cpu(KernelCall& call) { along_dim(call, false); }
void run_nanmedian_dim_cpu(KernelCall& call) { along_dim(call, true); }

}  // namespace ersatz::op_median
