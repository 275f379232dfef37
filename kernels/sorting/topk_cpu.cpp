#include <algorithm>
#include <limits>
#include <vector>

#include "kernels/sorting/rows_along.h"
#include "kernels/sorting/sort_key.h"
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

template <class Key, class Index>
struct Item {
  Key key;
  Index index;
  bool operator<(const Item& other) const { return key < other.key; }
  bool operator==(const Item& other) const { return key == other.key; }
};

/// Moves the first k elements in sorted order to the front. Like ATen, uses a heap if k is small and a partition if k
/// is large, because that decides which of several equal elements are selected.
template <class Item>
void select(std::vector<Item>& items, const Asked& asked) {
  const auto k = items.begin() + asked.k;
  if (asked.k * 64 <= int64_t(items.size())) {
    std::partial_sort(items.begin(), k, items.end());
    return;
  }
  std::nth_element(items.begin(), k - 1, items.end());
  if (asked.sorted) std::sort(items.begin(), k - 1);
}

/// Finds the first k elements in sorted order. Returns false if one of them equals another element, because the result
/// is then not unique. Skips an element if k elements that come before it in the row are less.
template <class Item>
bool select_distinct(const std::vector<Item>& items, int64_t k, std::vector<Item>& found) {
  const size_t room = static_cast<size_t>(4 * k);
  found.clear();
  auto last = std::numeric_limits<decltype(Item::key)>::max();
  for (const Item& item : items) {
    if (item.key > last) continue;
    found.push_back(item);
    if (found.size() < room) continue;
    std::nth_element(found.begin(), found.begin() + (k - 1), found.end());
    last = found[static_cast<size_t>(k - 1)].key;
    found.erase(std::remove_if(found.begin(), found.end(), [&](const auto& i) { return i.key > last; }), found.end());
    if (found.size() > room / 2) return false;
  }
  std::sort(found.begin(), found.end());
  const auto end = found.begin() + std::min<int64_t>(k + 1, int64_t(found.size()));
  return std::adjacent_find(found.begin(), end) == end;
}

template <class T, class Index>
void top(const RowsAlong<3>& rows, const Asked& asked, const T* in, T* values, int64_t* indices) {
  using Key = decltype(key_of(T()));
  const bool few = asked.k * 16 <= rows.n && (asked.sorted || asked.k * 64 <= rows.n);
  parallel_for(rows.rows, std::max<int64_t>(1, (1 << 13) / (rows.n + 1)), [&](int64_t begin, int64_t end) {
    std::vector<Item<Key, Index>> items(static_cast<size_t>(rows.n)), found;
    for (int64_t r = begin; r < end; ++r) {
      const auto [from, to, at] = rows.at(r);
      for (int64_t i = 0; i < rows.n; ++i) {
        const Key key = key_of(in[from + i * rows.step[0]]);
        items[size_t(i)] = {asked.largest ? Key(~key) : key, static_cast<Index>(i)};
      }
      const bool distinct = few && select_distinct(items, asked.k, found);
      if (!distinct) select(items, asked);
      const auto& chosen = distinct ? found : items;
      for (int64_t i = 0; i < asked.k; ++i) {
        const auto place = static_cast<int64_t>(chosen[size_t(i)].index);
        values[to + i * rows.step[1]] = in[from + place * rows.step[0]];
        indices[at + i * rows.step[2]] = place;
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
  // The result of a 0-d tensor is the tensor itself for every k.
  const Asked asked{self.dim() == 0 ? 1 : call.integer(kTopk["k"]), call.boolean(kTopk["largest"]),
                    call.boolean(kTopk["sorted"])};
  dispatch_dtype<kReals>(self.dtype(), [&]<class T>() {
    const T* in = reinterpret_cast<const T*>(self.raw_data());
    T* out = reinterpret_cast<T*>(values.raw_data());
    if (rows.n <= std::numeric_limits<uint32_t>::max()) {
      top<T, uint32_t>(rows, asked, in, out, indices.data<int64_t>());
    } else {
      top<T, uint64_t>(rows, asked, in, out, indices.data<int64_t>());
    }
  });
}

}  // namespace ersatz::op_topk
