#include <algorithm>
#include <vector>

#include "kernels/shape/fill_elements.h"
#include "kernels/sorting/mode.h"
#include "kernels/sorting/order.h"
#include "kernels/sorting/rows_along.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_mode {
namespace {

/// Returns the index of the mode, which is the last element of the first longest run in the sorted elements. Like
/// ATen's sort, this sort is not stable and does not treat NaN specially, because the result depends on both
/// properties.
template <class C>
int64_t find(std::vector<std::pair<C, int64_t>>& items) {
  std::sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  int64_t found = 0;
  size_t longest = 0, begin = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i + 1 < items.size() && items[i + 1].first == items[i].first) continue;
    if (i + 1 - begin > longest) {
      longest = i + 1 - begin;
      found = items[i].second;
    }
    begin = i + 1;
  }
  return found;
}

}  // namespace

void run_cpu(KernelCall& call) {
  const Tensor self = without_lazy_bits(call.tensor(kMode["self"])), &values = call.outputs[0],
               &indices = call.outputs[1];
  if (values.numel().as_int() == 0) return;
  if (self.dim() == 0) {  // every dtype is accepted, because nothing is compared
    copy_elements(values, self);
    return fill_elements(indices, 0);
  }
  const RowsAlong<3> rows(call.integer(kMode["dim"]), {&self, &values, &indices});
  dispatch_dtype<kReals | kBool>(self.dtype(), [&]<class T>() {
    const T* in = reinterpret_cast<const T*>(self.raw_data());
    T* out = reinterpret_cast<T*>(values.raw_data());
    parallel_for(rows.rows, std::max<int64_t>(1, (1 << 12) / (rows.n + 1)), [&](int64_t first, int64_t end) {
      std::vector<std::pair<Compute_t<T>, int64_t>> items(static_cast<size_t>(rows.n));
      for (int64_t r = first; r < end; ++r) {
        const auto [from, to, at] = rows.at(r);
        for (int64_t i = 0; i < rows.n; ++i) items[size_t(i)] = {Compute_t<T>(in[from + i * rows.step[0]]), i};
        const int64_t found = find(items);
        out[to] = in[from + found * rows.step[0]];
        indices.data<int64_t>()[at] = found;
      }
    });
  });
}

}  // namespace ersatz::op_mode
