// Finds unwritten elements: outputs are filled with a pattern before the kernel runs, and an unwritten element keeps
// the pattern.
//
// A kernel may happen to write the bytes of the fill. So an element counts as unwritten only if it also keeps a second,
// different fill in a second run. The functions work on any device that has bytes, and look only at elements of the
// view.
#pragma once

#include <vector>

#include "runtime/tensor/tensor.h"

namespace ersatz {

enum class Poison : uint8_t { First = 0xA5, Second = 0x5C };

/// Fills the bytes from the tensor's first element to its last. REQUIRES: the tensor has bytes.
void poison_elements(const Tensor& t, Poison fill);
/// Returns the byte offsets in the storage of elements whose bytes all equal the fill, in row-major order.
std::vector<int64_t> poisoned_elements(const Tensor& t, Poison fill);
/// Returns those `offsets` whose elements still have the fill in all of their bytes.
std::vector<int64_t> still_poisoned(const Tensor& t, const std::vector<int64_t>& offsets, Poison fill);

/// Calls f(byte offset in the storage) for each element in row-major order. If several elements share memory, f is
/// called for each of them. REQUIRES: plain sizes and strides.
template <class F>
void for_each_element(const TensorMeta& m, F&& f) {
  const auto sizes = as_ints(m.sizes), strides = as_ints(m.strides);
  const int64_t item = item_size(m.dtype);
  for (int64_t n : sizes) {
    if (n == 0) return;
  }
  InlineVec<int64_t, 5> index(sizes.size(), 0);
  int64_t at = m.offset.as_int();
  const int64_t last = static_cast<int64_t>(sizes.size()) - 1;
  const int64_t inner = last < 0 ? 1 : sizes[static_cast<size_t>(last)];
  const int64_t step = last < 0 ? 0 : strides[static_cast<size_t>(last)];
  while (true) {
    for (int64_t i = 0; i < inner; ++i) f((at + i * step) * item);
    int64_t d = last - 1;
    for (; d >= 0; --d) {
      const auto k = static_cast<size_t>(d);
      at += strides[k];
      if (++index[k] < sizes[k]) break;
      at -= strides[k] * sizes[k];
      index[k] = 0;
    }
    if (d < 0) return;
  }
}

}  // namespace ersatz
