// Loops on CUDA for operators that gather or scatter by an index.
//
// A loop runs over the dims `sizes`. For each position it reads an index and one element of the tensor `other`. The
// index names the element target[base + index * step] of the tensor `target`, where `base` follows from the position.
// `pick` copies the target's elements to `other`. `put` copies the elements of `other` to the target. `combine` adds
// them, multiplies by them, and so on.
// Gathering along a dim, selecting slices, embedding, index lists and flat positions differ only in their strides. For
// an index out of range, `pick` writes a zero, and the other loops write nothing. If the IndexReader has a FailureNote,
// the index is recorded there.
#pragma once

#include "kernels/indexing/device_index.h"

namespace ersatz::device_index {

using Strides = InlineVec<int64_t, 8>;

struct Places {
  Strides sizes;
  Tensor other;      ///< `pick` writes it; `put` and `combine` read it
  Strides of_other;  ///< strides in elements; each of the three stride lists has one stride for each dim of `sizes`
  DeviceIndex index;
  Strides of_index;
  Tensor target;
  Strides of_target;  ///< 0 along the dims that the index selects from
  int64_t step = 1;   ///< distance in the target, in elements, of two consecutive index values
};

inline int64_t stride_at(const Tensor& t, int64_t d) {
  return t.dim() == 0 ? 0 : t.strides()[static_cast<size_t>(d)].as_int();
}

/// Makes the Places of `scatter` and `gather`, which have one index for each element, along `dim` of the target.
inline Places along_dim(const Tensor& target, int64_t dim, const DeviceIndex& index, const Tensor& other) {
  Places p;
  p.other = other, p.index = index, p.target = target;
  p.step = stride_at(target, dim);
  for (int64_t d = 0; d < index.tensor.dim(); ++d) {
    p.sizes.push_back(index.tensor.sizes()[static_cast<size_t>(d)].as_int());
    p.of_index.push_back(stride_at(index.tensor, d));
    p.of_other.push_back(stride_at(other, d));
    p.of_target.push_back(d == dim ? 0 : stride_at(target, d));
  }
  return p;
}

/// Makes the Places of `index_select` and `index_add`, which have one index for each slice of `other` along `dim`.
inline Places along_slices(const Tensor& target, int64_t dim, const DeviceIndex& index, const Tensor& other) {
  Places p;
  p.other = other, p.index = index, p.target = target;
  p.step = stride_at(target, dim);
  for (int64_t d = 0; d < other.dim(); ++d) {
    p.sizes.push_back(other.sizes()[static_cast<size_t>(d)].as_int());
    p.of_index.push_back(d == dim ? stride_at(index.tensor, 0) : 0);
    p.of_other.push_back(stride_at(other, d));
    p.of_target.push_back(d == dim ? 0 : stride_at(target, d));
  }
  return p;
}

namespace detail {

template <class Word>
struct Pick {
  pointwise::DeviceOffsets<3> offsets;
  std::byte* to;
  const std::byte* index;
  const std::byte* from;
  int64_t step;  // in bytes
  IndexReader read;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = offsets.of(static_cast<uint32_t>(i));
    int64_t place;
    *reinterpret_cast<Word*>(to + at[0]) =
        read.find(index + at[1], place) ? *reinterpret_cast<const Word*>(from + at[2] + place * step) : Word();
  }
};

template <class Word>
struct Put {
  pointwise::DeviceOffsets<4> offsets;
  const std::byte* from;
  const std::byte* index;
  std::byte* to;
  int64_t step;  // in bytes
  IndexReader read;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = offsets.of(static_cast<uint32_t>(i));
    int64_t place;
    if (!read.find(index + at[2], place)) return;
    *reinterpret_cast<Word*>(to + at[3] + place * step) = *reinterpret_cast<const Word*>(from + at[1]);
  }
};

/// A 16-byte word with 16-byte alignment. Complex f64 elements need not have that alignment.
struct alignas(16) Aligned16 {
  uint64_t lo, hi;
};

/// Calls f.operator()<Word>() with a type for items of `item` bytes; with Aligned16 if `widened`.
template <class F>
void dispatch_word(int64_t item, bool widened, F&& f) {
  if (widened) return f.template operator()<Aligned16>();
  dispatch_item_size(item, f);
}

inline bool divides(int64_t k, const Strides& strides, size_t but) {
  for (size_t d = 0; d < strides.size(); ++d) {
    if (d != but && strides[d] % k != 0) return false;
  }
  return true;
}

/// If the last dim is dense and 16-byte aligned in both tensors, merges elements into items of 16 bytes. RETURNS: the
/// size of an item.
inline int64_t widen(Places& p) {
  const int64_t item = item_size(p.other.dtype()), k = 16 / item;
  if (k == 1 || p.sizes.empty()) return item;
  const auto on_16 = [](const Tensor& t) { return reinterpret_cast<uintptr_t>(t.raw_data()) % 16 == 0; };
  const size_t last = p.sizes.size() - 1;
  const bool fits = p.sizes[last] % k == 0 && p.of_other[last] == 1 && p.of_target[last] == 1 &&
                    p.of_index[last] == 0 && p.step % k == 0 && divides(k, p.of_other, last) &&
                    divides(k, p.of_target, last) && on_16(p.other) && on_16(p.target);
  if (!fits) return item;
  p.sizes[last] /= k;
  p.step /= k;
  for (size_t d = 0; d < last; ++d) p.of_other[d] /= k, p.of_target[d] /= k;
  return 16;
}

inline Strides row_major(const Strides& sizes) {
  Strides strides(sizes.size(), 1);
  for (size_t d = sizes.size(); d-- > 1;) strides[d - 1] = strides[d] * std::max<int64_t>(sizes[d], 1);
  return strides;
}

}  // namespace detail

inline pointwise::LoopOperand index_operand(const Places& p) {
  return {p.index.tensor.raw_data(), item_size(p.index.tensor.dtype()), p.of_index};
}
inline int64_t count_of(const Places& p) {
  int64_t n = 1;
  for (int64_t s : p.sizes) n *= s;
  return n;
}
inline bool writes_nothing(const Places& p) { return count_of(p) == 0 || p.target.numel().as_int() == 0; }

/// For each position, sets the element of `other` to the element of the target.
inline void pick(Places p) {
  if (count_of(p) == 0) return note_outside(p.index);
  const int64_t item = detail::widen(p);
  const int device = p.target.device().index;
  const pointwise::LoopOperand operands[] = {
      {p.other.raw_data(), item, p.of_other}, index_operand(p), {p.target.raw_data(), item, p.of_target}};
  detail::dispatch_word(item, item != item_size(p.other.dtype()), [&]<class Word>() {
    pointwise::for_each_piece<3>(p.sizes, operands, [&](const pointwise::DevicePiece<3>& piece) {
      cuda_module::launch_each(
          device, piece.numel,
          detail::Pick<Word>{piece.offsets, piece.data[0], piece.data[1], piece.data[2], p.step * item, p.index.read});
    });
  });
}

/// For each position, sets the element of the target to the element of `other`. If several positions have one target
/// element, the target keeps any of their values (see `put` in device_combine.h).
inline void put_in_any_order(Places p) {
  if (writes_nothing(p)) return note_outside(p.index);
  const int64_t item = detail::widen(p);
  const int device = p.target.device().index;
  const Strides order = detail::row_major(p.sizes);
  const pointwise::LoopOperand operands[] = {{p.other.raw_data(), 1, order},
                                             {p.other.raw_data(), item, p.of_other},
                                             index_operand(p),
                                             {p.target.raw_data(), item, p.of_target}};
  detail::dispatch_word(item, item != item_size(p.other.dtype()), [&]<class Word>() {
    pointwise::for_each_piece<4>(p.sizes, operands, [&](const pointwise::DevicePiece<4>& piece) {
      cuda_module::launch_each(
          device, piece.numel,
          detail::Put<Word>{piece.offsets, piece.data[1], piece.data[2], piece.data[3], p.step * item, p.index.read});
    });
  });
}

}  // namespace ersatz::device_index
