// Finds the element of a given rank in each row, and the elements before it, without sorting the rows. For CUDA;
// included by _cuda.cu files.
//
// Radix selection: each row has one block, which counts the highest digits of the keys and finds the digit that
// contains the wanted rank. It repeats that for the next lower digit, among the keys that have the digits found so far.
// Equal elements are ordered by position, as in a stable sort. If several elements have the key of the wanted rank,
// their positions are searched by digits too.
#pragma once

#include "kernels/sorting/sorted_rows.h"

namespace ersatz::device_sort {

/// Is selection faster than sorting? Each row has one block, so rows must be many or not too long.
inline bool selects(const RowShape& shape, int64_t count) {
  return shape.n >= 1024 && shape.n < INT32_MAX && count <= shape.n / 4 && (shape.rows >= 16 || shape.n <= (1 << 16));
}

/// The element to find: the element of rank `rank`, counted from 0, or the median.
struct Wanted {
  int64_t rank = 0;
  bool median = false;
  bool pass_nan = false;
  uint64_t nan = 0;  ///< the key of NaN; 0 if the dtype has no NaN
};

/// Returns the rank of the median among n elements, of which `nans` are NaN and last. With `pass_nan`, NaNs are
/// ignored. Without it, the median is NaN if an element is NaN.
ERSATZ_HD inline int64_t median_rank(int64_t n, int64_t nans, bool pass_nan) {
  if (nans > 0 && !pass_nan) return n - nans;
  return nans == n ? (n - 1) / 2 : (n - nans - 1) / 2;
}

namespace detail {

ERSATZ_DEVICE int32_t count_up(int32_t* counter) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(counter, 1);
#elif !defined(__CUDACC__)
  return std::atomic_ref<int32_t>(*counter).fetch_add(1, std::memory_order_relaxed);
#else
  return *counter;
#endif
}

struct Sum {
  ERSATZ_DEVICE int64_t operator()(int64_t a, int64_t b) const { return a + b; }
};

template <class Key>
struct SelectInRow {
  static constexpr int kDigits = 256, kMostThreads = 512, kFewestBlocks = 1;
  static constexpr size_t kSharedBytes = (kDigits + 1) * sizeof(int32_t);
  const Key* keys;
  int64_t n;
  Wanted wanted;
  int64_t* chosen;  // index of the found element over all rows
  int64_t* taken;   // null, or the elements of each row up to the found one, that is rank + 1 elements, in any order

  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    const int64_t first = block.index() * n;
    const Key* const row = keys + first;
    int32_t* const counts = block.shared<int32_t>();
    int64_t rank = wanted.rank;
    if (wanted.median) {
      int64_t nans = 0;
      if (wanted.nan != 0) {
        for (int64_t i = block.thread(); i < n; i += block.threads()) nans += row[i] == static_cast<Key>(wanted.nan);
        nans = block.reduce(nans, Sum());
      }
      rank = median_rank(n, nans, wanted.pass_nan);
    }
    Key key = 0;
    int equal = 0;  // number of elements whose key has the digits found so far
    for (int shift = 8 * sizeof(Key) - 8; shift >= 0; shift -= 8) {
      clear(block, counts);
      const Key above =
          shift + 8 < static_cast<int>(8 * sizeof(Key)) ? static_cast<Key>(~Key(0) << (shift + 8)) : Key(0);
      for (int64_t i = block.thread(); i < n; i += block.threads()) {
        if (((row[i] ^ key) & above) == 0) count_up(counts + (row[i] >> shift & 255));
      }
      key |= static_cast<Key>(static_cast<Key>(follow(block, counts, rank, equal)) << shift);
    }
    int64_t position = 0;
    if (equal > 1) {
      for (int shift = 24; shift >= 0; shift -= 8) {
        if (n >> shift == 0) continue;
        clear(block, counts);
        for (int64_t i = block.thread(); i < n; i += block.threads()) {
          if (row[i] == key && (i ^ position) >> (shift + 8) == 0) count_up(counts + (i >> shift & 255));
        }
        position |= static_cast<int64_t>(follow(block, counts, rank, equal)) << shift;
      }
    } else {
      position = n;  // no search is needed, because only one element has the key
    }
    if (block.thread() == 0) counts[kDigits] = 0;
    block.sync();
    for (int64_t i = block.thread(); i < n; i += block.threads()) {
      if (row[i] == key && (equal_is_one(position) || i == position)) chosen[block.index()] = first + i;
      if (taken && (row[i] < key || (row[i] == key && i <= position))) {
        taken[block.index() * (wanted.rank + 1) + count_up(counts + kDigits)] = first + i;
      }
    }
  }

 private:
  ERSATZ_DEVICE bool equal_is_one(int64_t position) const { return position == n; }
  ERSATZ_DEVICE static void clear(const cuda_module::Block& block, int32_t* counts) {
    block.sync();  // other threads may still read the counts
    for (int d = block.thread(); d < kDigits; d += block.threads()) counts[d] = 0;
    block.sync();
  }
  /// Returns the digit that contains the rank. Sets `rank` to the rank among elements with this digit, and `equal` to
  /// their number. Each warp computes the same result. A lane adds adjacent counters, and the warp adds the sums of the
  /// lanes before it. Then the counters of the lane that contains the rank are added one by one.
  ERSATZ_DEVICE static int follow(const cuda_module::Block& block, const int32_t* counts, int64_t& rank, int& equal) {
    constexpr int kWarp = cuda_module::Block::kWarp, kEach = kDigits / kWarp;
    block.sync();
    const int lane = block.lane();
    int32_t sum = 0;
    // Lanes whose counters are in the same bank of shared memory begin with different counters.
    for (int k = 0; k < kEach; ++k) sum += counts[lane * kEach + (k + lane * kEach / kWarp) % kEach];
    int32_t up_to = sum;
    for (int distance = 1; distance < kWarp; distance *= 2) {
      const int32_t before = block.of_lane(up_to, lane < distance ? lane : lane - distance);
      if (lane >= distance) up_to += before;
    }
    const int64_t passed = block.reduce(int64_t(up_to <= rank), Sum(), kWarp);
    const int holder = passed < kWarp ? static_cast<int>(passed) : kWarp - 1;
    rank -= block.of_lane(up_to - sum, holder);
    int digit = holder * kEach;
    while (digit + 1 < (holder + 1) * kEach && counts[digit] <= rank) rank -= counts[digit++];
    equal = counts[digit];
    return digit;
  }
};

template <class Key>
struct KeysOfTaken {
  uint64_t* to;
  const Key* keys;
  const int64_t* elements;
  LongDivisor n;
  int row_at;  // the lowest bit of the row number in `to[i]`; negative: `to[i]` contains no row number
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const int64_t element = elements[i];
    to[i] = keys[element];
    if (row_at >= 0) to[i] |= static_cast<uint64_t>(n.divide(element)) << row_at;
  }
};

struct MoveNumbers {
  int64_t* to;
  const int64_t* from;
  ERSATZ_DEVICE void operator()(int64_t i) const { to[i] = from[i]; }
};

struct SameNumbers {
  uint64_t* to;
  const int64_t* from;
  ERSATZ_DEVICE void operator()(int64_t i) const { to[i] = static_cast<uint64_t>(from[i]); }
};

}  // namespace detail

class SelectedRows {
 public:
  /// If `count` > 0, finds the first `count` elements of each row, in order. If 0, finds only the wanted element.
  SelectedRows(const Tensor& self, const RowShape& shape, bool descending, Wanted wanted, int64_t count = 0)
      : shape_(shape), device_(self.device().index), found_(device_, shape.rows * std::max<int64_t>(count, 1) * 8) {
    if (item_size(self.dtype()) <= 4) {
      run<uint32_t>(self, descending, wanted, count);
    } else {
      run<uint64_t>(self, descending, wanted, count);
    }
  }
  /// Returns indices over all rows: `count` for each row, or one if `count` is 0.
  const int64_t* found() const { return found_.as<int64_t>(); }

 private:
  template <class Key>
  void run(const Tensor& self, bool descending, Wanted wanted, int64_t count) {
    const int64_t total = shape_.rows * shape_.n;
    const DeviceScratch keys(device_, total * static_cast<int64_t>(sizeof(Key)));
    encode(self, shape_, descending, -1, keys.as<Key>());
    using Select = detail::SelectInRow<Key>;
    const int threads = cuda_module::threads_for_row(shape_.n, Select::kMostThreads);
    if (count == 0) {
      return cuda_module::launch_blocks(device_, shape_.rows, threads, Select::kSharedBytes,
                                        Select{keys.as<Key>(), shape_.n, wanted, found_.as<int64_t>(), nullptr});
    }
    wanted.rank = count - 1;
    const int64_t m = shape_.rows * count;
    const DeviceScratch last(device_, shape_.rows * 8), taken(device_, m * 8), numbers(device_, m * 8),
        sorted(device_, m * 8);
    cuda_module::launch_blocks(device_, shape_.rows, threads, Select::kSharedBytes,
                               Select{keys.as<Key>(), shape_.n, wanted, last.as<int64_t>(), taken.as<int64_t>()});
    // `sort` first sorts by position, and then stably by row and key.
    const auto sort = [&](int bits, const DeviceScratch& from, const DeviceScratch& to) {
      cuda_module::sort_pairs(device_, m, bits, numbers.as<uint64_t>(), sorted.as<uint64_t>(), from.as<int64_t>(),
                              to.as<int64_t>());
    };
    cuda_module::launch_each(device_, m, detail::SameNumbers{numbers.as<uint64_t>(), taken.as<int64_t>()});
    sort(bits_for(total), taken, found_);
    const int bits = static_cast<int>(8 * item_size(self.dtype())), row_bits = bits_for(shape_.rows);
    const bool at_once = bits + row_bits <= 64;
    cuda_module::launch_each(device_, m,
                             detail::KeysOfTaken<Key>{numbers.as<uint64_t>(), keys.as<Key>(), found_.as<int64_t>(),
                                                      LongDivisor(shape_.n), at_once && row_bits > 0 ? bits : -1});
    if (at_once) {
      sort(bits + row_bits, found_, taken);
      cuda_module::launch_each(device_, m, detail::MoveNumbers{found_.as<int64_t>(), taken.as<int64_t>()});
      return;
    }
    sort(bits, found_, taken);
    cuda_module::launch_each(device_, m,
                             detail::RowsOf{numbers.as<uint64_t>(), taken.as<int64_t>(), LongDivisor(shape_.n)});
    sort(row_bits, taken, found_);
  }

  RowShape shape_;
  int device_;
  DeviceScratch found_;
};

}  // namespace ersatz::device_sort
