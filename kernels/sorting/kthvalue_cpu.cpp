#include <utility>
#include <vector>

#include "kernels/sorting/kthvalue.h"
#include "kernels/sorting/order.h"
#include "kernels/sorting/rows_along.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_kthvalue {
namespace {

/// Quickselect with the median of three elements as pivot (Sedgewick's partition). Afterwards items[k] is the k-th
/// smallest element. The exchanges are those of ATen's kernel, because they decide which of several equal elements is
/// at k.
template <class C>
void select(std::vector<std::pair<C, int64_t>>& items, int64_t k) {
  const auto after = [&](int64_t a, int64_t b) { return descending(items[size_t(a)].first, items[size_t(b)].first); };
  const auto exchange = [&](int64_t a, int64_t b) { std::swap(items[size_t(a)], items[size_t(b)]); };
  int64_t low = 0, high = int64_t(items.size()) - 1;
  while (high > low + 1) {
    exchange(low + (high - low) / 2, low + 1);
    if (after(low + 1, high)) exchange(low + 1, high);
    if (after(low, high)) exchange(low, high);
    if (after(low + 1, low)) exchange(low + 1, low);
    // Now items[low + 1] <= items[low] <= items[high]; items[low] is the pivot.
    int64_t i = low + 1, j = high;
    for (;;) {
      do ++i;
      while (after(low, i));
      do --j;
      while (after(j, low));
      if (j < i) break;
      exchange(i, j);
    }
    exchange(low, j);
    const int64_t pivot = j;
    if (pivot <= k) low = i;
    if (pivot >= k) high = pivot - 1;
  }
  if (high == low + 1 && after(low, high)) exchange(low, high);
}

template <class T>
void find(const RowsAlong<3>& rows, int64_t k, const T* in, T* values, int64_t* indices) {
  using C = Compute_t<T>;
  parallel_for(rows.rows, std::max<int64_t>(1, (1 << 13) / (rows.n + 1)), [&](int64_t begin, int64_t end) {
    std::vector<std::pair<C, int64_t>> items(static_cast<size_t>(rows.n));
    for (int64_t r = begin; r < end; ++r) {
      const auto [from, to, at] = rows.at(r);
      for (int64_t i = 0; i < rows.n; ++i) items[size_t(i)] = {C(in[from + i * rows.step[0]]), i};
      select(items, k - 1);
      const int64_t found = items[size_t(k - 1)].second;
      values[to] = in[from + found * rows.step[0]];
      indices[at] = found;
    }
  });
}

}  // namespace

void run_cpu(KernelCall& call) {
  const Tensor self = without_lazy_bits(call.tensor(kKthvalue["self"])), &values = call.outputs[0],
               &indices = call.outputs[1];
  if (values.numel().as_int() == 0) return;
  if (self.dim() == 0) {
    copy_elements(values, self);
    *indices.data<int64_t>() = 0;
    return;
  }
  const RowsAlong<3> rows(call.integer(kKthvalue["dim"]), {&self, &values, &indices});
  dispatch_dtype<kReals>(self.dtype(), [&]<class T>() {
    find(rows, call.integer(kKthvalue["k"]), reinterpret_cast<const T*>(self.raw_data()),
         reinterpret_cast<T*>(values.raw_data()), indices.data<int64_t>());
  });
}

}  // namespace ersatz::op_kthvalue
