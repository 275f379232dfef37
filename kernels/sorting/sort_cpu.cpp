#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "kernels/sorting/rows_along.h"
#include "kernels/sorting/sort.h"
#include "kernels/sorting/sort_key.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_sort {
namespace {

constexpr int64_t kRadixFrom = 512;  // from this row length on, radix sort is faster than comparison sort

template <class Key, class Index>
struct Item {
  Key key;
  Index index;
  bool operator<(const Item& other) const { return key < other.key; }
};

/// Sorts by the digits of the keys, the lowest digit first. Skips digits that all keys have in common. Returns the
/// array that has the result, `items` or `spare`.
template <class Key, class Index>
Item<Key, Index>* radix_sort(Item<Key, Index>* items, Item<Key, Index>* spare, int64_t n) {
  for (size_t shift = 0; shift < 8 * sizeof(Key); shift += 8) {
    int64_t counts[256] = {};
    for (int64_t i = 0; i < n; ++i) ++counts[items[i].key >> shift & 255];
    if (counts[items[0].key >> shift & 255] == n) continue;
    int64_t before = 0;
    for (int64_t& count : counts) before += std::exchange(count, before);
    for (int64_t i = 0; i < n; ++i) spare[counts[items[i].key >> shift & 255]++] = items[i];
    std::swap(items, spare);
  }
  return items;
}

/// Sorts the rows. If the sort need not be stable, equal elements get the order of ATen's std::sort. If no elements are
/// equal, every sort gives the same result, so radix sort is tried first.
template <class T, class Index>
void sort_rows(const RowsAlong<3>& rows, bool down, bool stable, const T* in, T* values, int64_t* indices) {
  using Key = decltype(key_of(T()));
  using Items = std::unique_ptr<Item<Key, Index>[]>;
  const int64_t n = rows.n;
  // If a row has more elements than there are keys, some elements are equal, so radix sort is not tried.
  const bool counting = n >= kRadixFrom && (stable || sizeof(Key) > 2);
  parallel_for(rows.rows, std::max<int64_t>(1, (1 << 12) / (n + 1)), [&](int64_t begin, int64_t end) {
    const Items items(new Item<Key, Index>[size_t(n)]), spare(counting ? new Item<Key, Index>[size_t(n)] : nullptr);
    const auto fill = [&](int64_t from) {
      for (int64_t i = 0; i < n; ++i) {
        const Key key = key_of(in[from + i * rows.step[0]]);
        items[size_t(i)] = {down ? Key(~key) : key, Index(i)};
      }
    };
    for (int64_t r = begin; r < end; ++r) {
      const auto [from, to, at] = rows.at(r);
      fill(from);
      const Item<Key, Index>* sorted = items.get();
      if (counting) sorted = radix_sort(items.get(), spare.get(), n);
      if (counting && !stable) {
        const auto same = [](const auto& a, const auto& b) { return a.key == b.key; };
        if (std::adjacent_find(sorted, sorted + n, same) != sorted + n) fill(from), sorted = nullptr;
      }
      if (!counting || !sorted) {
        sorted = items.get();
        stable ? std::stable_sort(items.get(), items.get() + n) : std::sort(items.get(), items.get() + n);
      }
      for (int64_t i = 0; i < n; ++i) {
        values[to + i * rows.step[1]] = in[from + int64_t(sorted[i].index) * rows.step[0]];
        indices[at + i * rows.step[2]] = int64_t(sorted[i].index);
      }
    }
  });
}

/// Does ATen use a radix sort, which is stable even if `stable` is false?
bool counted(const Tensor& self, bool down) {
  return kIntegers.has(self.dtype()) && self.dim() == 1 && self.numel().as_int() >= 32768 && !down;
}

}  // namespace

void run_cpu(KernelCall& call) {
  const Tensor self = without_lazy_bits(call.tensor(kEach["self"])), &values = call.outputs[0],
               &indices = call.outputs[1];
  if (values.numel().as_int() == 0) return;
  const bool choosing = call.args.size() == kSortStable.count();
  const RowsAlong<3> rows(call.integer(choosing ? kSortStable["dim"] : kSort["dim"]), {&self, &values, &indices});
  const bool down = call.boolean(choosing ? kSortStable["descending"] : kSort["descending"]);
  const bool asked = choosing && call.has(kSortStable["stable"]) && call.boolean(kSortStable["stable"]),
             stable = asked || counted(self, down);
  dispatch_dtype<kReals | kBool | DTypeSet{DType::U64}>(self.dtype(), [&]<class T>() {
    const T* in = reinterpret_cast<const T*>(self.raw_data());
    T* out = reinterpret_cast<T*>(values.raw_data());
    int64_t* at = indices.data<int64_t>();
    if (rows.n <= std::numeric_limits<uint32_t>::max()) {
      sort_rows<T, uint32_t>(rows, down, stable, in, out, at);
    } else {
      sort_rows<T, uint64_t>(rows, down, stable, in, out, at);
    }
  });
}

}  // namespace ersatz::op_sort
