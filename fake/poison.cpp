#include "fake/poison.h"

#include <cstring>

#include "runtime/layout.h"

namespace ersatz {
namespace {

template <class Word>
bool holds(const std::byte* p, Word fill) {
  Word w;
  std::memcpy(&w, p, sizeof(Word));
  return w == fill;
}

/// Does the element hold nothing but the fill byte?
bool is_poisoned(const std::byte* p, int64_t item, Poison fill) {
  const uint64_t word = 0x0101010101010101ull * static_cast<uint8_t>(fill);
  switch (item) {
    case 1:
      return holds<uint8_t>(p, static_cast<uint8_t>(word));
    case 2:
      return holds<uint16_t>(p, static_cast<uint16_t>(word));
    case 4:
      return holds<uint32_t>(p, static_cast<uint32_t>(word));
    case 8:
      return holds<uint64_t>(p, word);
    default:
      return holds<uint64_t>(p, word) && holds<uint64_t>(p + 8, word);
  }
}

/// Any element of a dense block? Blocks of fixed length, so that the compiler vectorises the inner loop.
template <class Word>
bool any_poisoned(const Word* p, int64_t n, Word fill) {
  constexpr int64_t kBlock = 256;
  int64_t i = 0;
  for (; i + kBlock <= n; i += kBlock) {
    Word hits = 0;
    for (int64_t j = 0; j < kBlock; ++j) hits |= static_cast<Word>(-static_cast<Word>(p[i + j] == fill));
    if (hits) return true;
  }
  for (; i < n; ++i) {
    if (p[i] == fill) return true;
  }
  return false;
}

/// The same for an item size; of 16 bytes one half is enough to look closer.
bool any_poisoned(const std::byte* p, int64_t n, int64_t item, Poison fill) {
  const uint64_t word = 0x0101010101010101ull * static_cast<uint8_t>(fill);
  switch (item) {
    case 1:
      return any_poisoned(reinterpret_cast<const uint8_t*>(p), n, static_cast<uint8_t>(word));
    case 2:
      return any_poisoned(reinterpret_cast<const uint16_t*>(p), n, static_cast<uint16_t>(word));
    case 4:
      return any_poisoned(reinterpret_cast<const uint32_t*>(p), n, static_cast<uint32_t>(word));
    default:
      return any_poisoned(reinterpret_cast<const uint64_t*>(p), n * item / 8, word);
  }
}

}  // namespace

void poison_elements(const Tensor& t, Poison fill) {
  if (t.numel().as_int() == 0) return;
  const auto [first, last] = element_range(t.meta());
  const int64_t item = item_size(t.dtype());
  std::memset(t.storage()->data() + first * item, static_cast<int>(fill),
              static_cast<size_t>((last - first + 1) * item));
}

std::vector<int64_t> poisoned_elements(const Tensor& t, Poison fill) {
  std::vector<int64_t> found;
  const std::byte* data = t.storage()->data();
  const int64_t item = item_size(t.dtype());
  if (is_non_overlapping_and_dense(t.sizes(), t.strides()) &&
      !any_poisoned(t.raw_data(), t.numel().as_int(), item, fill)) {
    return found;  // the usual case, at the speed of memory
  }
  for_each_element(t.meta(), [&](int64_t at) {
    if (is_poisoned(data + at, item, fill)) found.push_back(at);
  });
  return found;
}

std::vector<int64_t> still_poisoned(const Tensor& t, const std::vector<int64_t>& offsets, Poison fill) {
  std::vector<int64_t> found;
  const int64_t item = item_size(t.dtype());
  for (int64_t at : offsets) {
    if (is_poisoned(t.storage()->data() + at, item, fill)) found.push_back(at);
  }
  return found;
}

}  // namespace ersatz
