#include "fake/watch/poison.h"

#include <cstring>

#include "fake/watch/host_bytes.h"
#include "runtime/tensor/allocator.h"
#include "runtime/tensor/layout.h"

namespace ersatz {
namespace {

template <class Word>
bool holds(const std::byte* p, Word fill) {
  Word w;
  std::memcpy(&w, p, sizeof(Word));
  return w == fill;
}

/// Returns whether each byte of the element equals the fill.
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

/// Returns whether one of `n` dense elements may equal the fill. Blocks have a fixed length so that the compiler
/// vectorises the inner loop.
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

/// Calls `any_poisoned` for an item size. For items of 16 bytes it compares only one half, so the caller has to examine
/// a hit.
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

/// The range of bytes in the storage from the tensor's first element to the end of its last one.
struct Extent {
  explicit Extent(const Tensor& t) {
    if (t.numel().as_int() == 0) return;
    const auto [a, b] = element_range(t.meta());
    const int64_t item = item_size(t.dtype());
    first = a * item;
    nbytes = (b - a + 1) * item;
  }
  int64_t first = 0, nbytes = 0;
};

}  // namespace

void poison_elements(const Tensor& t, Poison fill) {
  const Extent extent(t);
  if (extent.nbytes == 0) return;
  set_bytes(t.storage()->data() + extent.first, t.device(), static_cast<std::byte>(fill), extent.nbytes);
}

std::vector<int64_t> poisoned_elements(const Tensor& t, Poison fill) {
  std::vector<int64_t> found;
  const Extent extent(t);
  if (extent.nbytes == 0) return found;
  const HostBytes bytes(*t.storage(), extent.first, extent.nbytes);
  const int64_t item = item_size(t.dtype());
  if (is_non_overlapping_and_dense(t.sizes(), t.strides()) &&
      !any_poisoned(bytes.data(), t.numel().as_int(), item, fill)) {
    return found;  // the usual case, which must be fast: no element equals the fill
  }
  for_each_element(t.meta(), [&](int64_t at) {
    if (is_poisoned(bytes.data() + at - extent.first, item, fill)) found.push_back(at);
  });
  return found;
}

std::vector<int64_t> still_poisoned(const Tensor& t, const std::vector<int64_t>& offsets, Poison fill) {
  std::vector<int64_t> found;
  if (offsets.empty()) return found;
  const Extent extent(t);
  const HostBytes bytes(*t.storage(), extent.first, extent.nbytes);
  const int64_t item = item_size(t.dtype());
  for (int64_t at : offsets) {
    if (is_poisoned(bytes.data() + at - extent.first, item, fill)) found.push_back(at);
  }
  return found;
}

}  // namespace ersatz
