#include <algorithm>
#include <vector>

#include "kernels/sorting/order.h"
#include "kernels/sorting/rows_along.h"
#include "kernels/sorting/topk.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_topk {
namespace {

struct Asked {
  int64_t k;
  bool largest, sorted;
};

template <class C>
using Items = std::vector<std::pair<C, int64_t>>;

/// Brings the k first elements of the order to the front. Few of many by a heap, else by partition: the choice decides
/// which of equal elements are taken.
template <class C, class Less>
void select(Items<C>& items, const Asked& asked, Less less) {
  const auto by_value = [&](const auto& a, const auto& b) { return less(a.first, b.first); };
  const auto k = items.begin() + asked.k;
  if (asked.k * 64 <= int64_t(items.size())) {
    std::partial_sort(items.begin(), k, items.end(), by_value);
    return;
  }
  std::nth_element(items.begin(), k - 1, items.end(), by_value);
  if (asked.sorted) std::sort(items.begin(), k - 1, by_value);
}

template <class T>
void top(const RowsAlong<3>& rows, const Asked& asked, const T* in, T* values, int64_t* indices) {
  using C = Compute_t<T>;
  parallel_for(rows.rows, std::max<int64_t>(1, (1 << 13) / (rows.n + 1)), [&](int64_t begin, int64_t end) {
    Items<C> items(static_cast<size_t>(rows.n));
    for (int64_t r = begin; r < end; ++r) {
      const auto [from, to, at] = rows.at(r);
      for (int64_t i = 0; i < rows.n; ++i) items[size_t(i)] = {C(in[from + i * rows.step[0]]), i};
      asked.largest ? select(items, asked, descending<C>) : select(items, asked, ascending<C>);
      for (int64_t i = 0; i < asked.k; ++i) {
        values[to + i * rows.step[1]] = in[from + items[size_t(i)].second * rows.step[0]];
        indices[at + i * rows.step[2]] = items[size_t(i)].second;
      }
    }
  });
}

}  // namespace

void run_cpu(KernelCall& call) {
  const Tensor self = without_lazy_bits(call.tensor(kTopk["self"])), &values = call.outputs[0],
               &indices = call.outputs[1];
  if (values.numel().as_int() == 0) return;
  const RowsAlong<3> rows(call.integer(kTopk["dim"]), {&self, &values, &indices});
  // A 0-d tensor answers itself, whatever k is.
  const Asked asked{self.dim() == 0 ? 1 : call.integer(kTopk["k"]), call.boolean(kTopk["largest"]),
                    call.boolean(kTopk["sorted"])};
  dispatch_dtype<kReals>(self.dtype(), [&]<class T>() {
    top(rows, asked, reinterpret_cast<const T*>(self.raw_data()), reinterpret_cast<T*>(values.raw_data()),
        indices.data<int64_t>());
  });
}

}  // namespace ersatz::op_topk
