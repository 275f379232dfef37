#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "kernels/sorting/order.h"
#include "kernels/sorting/rows_along.h"
#include "kernels/sorting/sort.h"
#include "kernels/sorting/sort_key.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_sort {
namespace {

constexpr int64_t kRadixFrom = 512;  // elements of a row from which counting digits beats comparing

template <class Key, class Index>
struct Item {
  Key key;
  Index index;
};

/// Sorts by the digits of the keys, lowest first; a digit that all keys share is left out. Answers where the result is:
/// in `items` or in `spare`.
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

/// A sort that need not keep the order of equal elements: comparisons alone, so that it leaves them where ATen's does.
template <class T>
void sort_rows_unstably(const RowsAlong<3>& rows, bool down, const T* in, T* values, int64_t* indices) {
  using C = Compute_t<T>;
  const int64_t n = rows.n;
  parallel_for(rows.rows, std::max<int64_t>(1, (1 << 12) / (n + 1)), [&](int64_t begin, int64_t end) {
    std::vector<std::pair<C, int64_t>> items(static_cast<size_t>(n));
    for (int64_t r = begin; r < end; ++r) {
      const auto [from, to, at] = rows.at(r);
      for (int64_t i = 0; i < n; ++i) items[size_t(i)] = {C(in[from + i * rows.step[0]]), i};
      if (down) {
        std::sort(items.begin(), items.end(), [](auto& a, auto& b) { return descending(a.first, b.first); });
      } else {
        std::sort(items.begin(), items.end(), [](auto& a, auto& b) { return ascending(a.first, b.first); });
      }
      for (int64_t i = 0; i < n; ++i) {
        const int64_t found = items[size_t(i)].second;
        values[to + i * rows.step[1]] = in[from + found * rows.step[0]];
        indices[at + i * rows.step[2]] = found;
      }
    }
  });
}

template <class T, class Index>
void sort_rows(const RowsAlong<3>& rows, bool down, const T* in, T* values, int64_t* indices) {
  using Key = decltype(key_of(T()));
  const int64_t n = rows.n;
  parallel_for(rows.rows, std::max<int64_t>(1, (1 << 12) / (n + 1)), [&](int64_t begin, int64_t end) {
    std::unique_ptr<Item<Key, Index>[]> items(new Item<Key, Index>[size_t(n)]);
    std::unique_ptr<Item<Key, Index>[]> spare(n >= kRadixFrom ? new Item<Key, Index>[size_t(n)] : nullptr);
    for (int64_t r = begin; r < end; ++r) {
      const auto [from, to, at] = rows.at(r);
      for (int64_t i = 0; i < n; ++i) {
        const Key key = key_of(in[from + i * rows.step[0]]);
        items[size_t(i)] = {down ? Key(~key) : key, Index(i)};
      }
      const Item<Key, Index>* sorted = items.get();
      if (spare) {
        sorted = radix_sort(items.get(), spare.get(), n);
      } else {
        std::stable_sort(items.get(), items.get() + n, [](const auto& a, const auto& b) { return a.key < b.key; });
      }
      for (int64_t i = 0; i < n; ++i) {
        values[to + i * rows.step[1]] = in[from + int64_t(sorted[i].index) * rows.step[0]];
        indices[at + i * rows.step[2]] = int64_t(sorted[i].index);
      }
    }
  });
}

/// Does ATen sort these by counting digits, which keeps the order of equal elements, even where nobody asked?
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
  const bool stable = choosing && call.has(kSortStable["stable"]) && call.boolean(kSortStable["stable"]);
  dispatch_dtype<kReals | kBool>(self.dtype(), [&]<class T>() {
    const T* in = reinterpret_cast<const T*>(self.raw_data());
    T* out = reinterpret_cast<T*>(values.raw_data());
    int64_t* at = indices.data<int64_t>();
    if (!stable && !counted(self, down)) {
      sort_rows_unstably(rows, down, in, out, at);
    } else if (rows.n <= std::numeric_limits<uint32_t>::max()) {
      sort_rows<T, uint32_t>(rows, down, in, out, at);
    } else {
      sort_rows<T, uint64_t>(rows, down, in, out, at);
    }
  });
}

}  // namespace ersatz::op_sort
