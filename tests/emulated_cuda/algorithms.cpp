// The functions of runtime/cuda/algorithms.h on the emulated device.
#include "runtime/cuda/algorithms.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "runtime/cuda/stream.h"
#include "tests/emulated_cuda/fault.h"
#include "tests/emulated_cuda/work.h"

namespace ersatz::cuda_module {
namespace {

template <class Key>
void sort(int device, int64_t n, int bits, const Key* keys, Key* sorted_keys, const int64_t* values,
          int64_t* sorted_values) {
  if (n == 0) return;
  emulated::Work work(device, "sorting pairs");
  work.reads(keys);
  work.reads(values);
  work.writes(sorted_keys);
  work.writes(sorted_values);
  for (int64_t i = 0; i < n; ++i) {
    if (bits < static_cast<int>(8 * sizeof(Key)) && keys[i] >> bits != 0) {
      emulated::fault("a key has more than the {} bits to sort by", bits);
    }
  }
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return keys[a] < keys[b]; });
  for (int64_t i = 0; i < n; ++i) {
    sorted_keys[i] = keys[order[static_cast<size_t>(i)]];
    sorted_values[i] = values[order[static_cast<size_t>(i)]];
  }
}

}  // namespace

void sort_pairs(int device, int64_t n, int bits, const uint32_t* keys, uint32_t* sorted_keys, const int64_t* values,
                int64_t* sorted_values) {
  sort(device, n, bits, keys, sorted_keys, values, sorted_values);
}
void sort_pairs(int device, int64_t n, int bits, const uint64_t* keys, uint64_t* sorted_keys, const int64_t* values,
                int64_t* sorted_values) {
  sort(device, n, bits, keys, sorted_keys, values, sorted_values);
}

void running_sums(int device, int64_t n, const int64_t* from, int64_t* to) {
  if (n == 0) return;
  emulated::Work work(device, "running sums");
  work.reads(from);
  work.writes(to);
  uint64_t sum = 0;
  for (int64_t i = 0; i < n; ++i) to[i] = static_cast<int64_t>(sum += static_cast<uint64_t>(from[i]));
}

int64_t count_flags(int device, int64_t n, const uint8_t* flags) {
  if (n == 0) return 0;
  emulated::Work work(device, "counting flags");
  work.reads(flags);
  emulated::ledger().host_waited(current_stream(device));
  return std::count_if(flags, flags + n, [](uint8_t f) { return f != 0; });
}

void flagged_positions(int device, int64_t n, const uint8_t* flags, int64_t* positions) {
  if (n == 0) return;
  emulated::Work work(device, "selecting flagged positions");
  work.reads(flags);
  work.writes(positions);
  for (int64_t i = 0; i < n; ++i) {
    if (flags[i]) *positions++ = i;
  }
}

}  // namespace ersatz::cuda_module
