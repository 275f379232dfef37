// Elements of one tensor and their places in another: what every op that picks or scatters by an index does on CUDA.
//
// For each element of a shape there is an index, and a place in the target: target[base + index * step]. `pick` reads
// the places into the other tensor, `put` writes it there, `combine` adds, multiplies, ... it to what is there.
// Gathering along a dim, selecting slices, looking rows up, index lists and flat positions differ in strides alone.
// For an index outside of the target `pick` writes a zero, the others do nothing; the index notes it where it is to.
#pragma once

#include "kernels/indexing/device_index.h"

namespace ersatz::device_index {

using Strides = InlineVec<int64_t, 8>;

struct Places {
  Strides sizes;
  Tensor other;      ///< picked to or put from
  Strides of_other;  ///< elements; one stride a dim of `sizes`, as in all three
  DeviceIndex index;
  Strides of_index;
  Tensor target;
  Strides of_target;  ///< 0 along the dims that the index decides
  int64_t step = 1;   ///< elements of the target from one index to the next
};

inline int64_t stride_at(const Tensor& t, int64_t d) {
  return t.dim() == 0 ? 0 : t.strides()[static_cast<size_t>(d)].as_int();
}

/// As `scatter` and `gather` have it: an index for each element, along `dim` of the target.
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

/// As `index_select` and `index_add` have it: an index for each slice of `dim` of the other tensor.
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
  int64_t step;  // bytes
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
  int64_t step;  // bytes
  IndexReader read;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = offsets.of(static_cast<uint32_t>(i));
    int64_t place;
    if (!read.find(index + at[2], place)) return;
    *reinterpret_cast<Word*>(to + at[3] + place * step) = *reinterpret_cast<const Word*>(from + at[1]);
  }
};

/// Words of 16 bytes that are known to be aligned; complex numbers of f64 need not be.
struct alignas(16) Aligned16 {
  uint64_t lo, hi;
};

/// f.operator()<Word>() for items of `item` bytes, `widened` to 16.
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

/// Whole rows whose elements lie next to each other on both sides move 16 bytes at a time. Returns the item's size.
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

/// other = target[places]
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

/// target[places] = other. Of several elements for one place any may be the one that stays (scatter_put tells which).
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
