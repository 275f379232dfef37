// SortedRows: sorts the rows of a tensor along one dim on a CUDA device. Included by _cuda.cu files.
//
// Elements are converted to unsigned keys (sort_key.h), and all rows are sorted together. If row number and key fit
// into 64 bits, they are sorted as one number. Otherwise the elements are sorted by key and then, stably, by row. Equal
// elements keep the order of their positions, so the result is unique. On the CPU, the order of equal elements depends
// on the algorithm unless a stable sort is requested.
#pragma once

#include <memory>

#include "kernels/indexing/device_index.h"
#include "kernels/pointwise/long_offsets.h"
#include "kernels/sorting/rows_along.h"
#include "kernels/sorting/sort_key.h"
#include "runtime/cuda/algorithms.h"

namespace ersatz::device_sort {

using Strides = InlineVec<int64_t, 8>;
using cuda_module::DeviceScratch;
using pointwise::LongDivisor;

constexpr int bits_for(int64_t below) {
  int bits = 0;
  while (bits < 63 && (below - 1) >> bits > 0) ++bits;
  return bits;
}

/// The sizes and strides of a tensor whose dim `dim` is moved to the end.
struct RowShape {
  Strides sizes, strides;  ///< a 0-d tensor is one row of one element
  int64_t rows = 1, n = 1, step = 0;
  RowShape(const Tensor& t, int64_t dim) {
    const int64_t d = dim < 0 ? dim + std::max<int64_t>(t.dim(), 1) : dim;
    for (int64_t k = 0; k < t.dim(); ++k) {
      if (k == d) continue;
      sizes.push_back(t.sizes()[static_cast<size_t>(k)].as_int());
      strides.push_back(t.strides()[static_cast<size_t>(k)].as_int());
      rows *= sizes.back();
    }
    if (t.dim() > 0) {
      n = t.sizes()[static_cast<size_t>(d)].as_int();
      step = t.strides()[static_cast<size_t>(d)].as_int();
    }
    sizes.push_back(n);
    strides.push_back(step);
  }
  /// Returns the strides of a row-major array whose rows have the distance `pitch`.
  Strides packed(int64_t pitch) const {
    Strides s(sizes.size(), 1);
    int64_t stride = pitch;
    for (size_t k = sizes.size() - 1; k-- > 0;) {
      s[k] = stride;
      stride *= std::max<int64_t>(sizes[k], 1);
    }
    return s;
  }
};

namespace detail {

template <class T, class Key>
struct Encode {
  pointwise::DeviceOffsets<2> offsets;
  std::byte* keys;
  const std::byte* first_key;
  const std::byte* from;
  LongDivisor n;
  Key flip;    // all bits set reverses the order; 0 keeps it
  int row_at;  // lowest bit of the row number in the key; negative: keys contain no row number
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = offsets.of(static_cast<uint32_t>(i));
    std::byte* const to = keys + at[0];
    Key key = Key(key_of(*reinterpret_cast<const T*>(from + at[1]))) ^ flip;
    if (row_at >= 0) {
      const auto element = (to - first_key) / static_cast<int64_t>(sizeof(Key));
      key |= static_cast<Key>(n.divide(element)) << row_at;
    }
    *reinterpret_cast<Key*>(to) = key;
  }
};

struct CountUp {
  int64_t* to;
  ERSATZ_DEVICE void operator()(int64_t i) const { to[i] = i; }
};

struct RowsOf {
  uint64_t* rows;
  const int64_t* elements;
  LongDivisor n;
  ERSATZ_DEVICE void operator()(int64_t i) const { rows[i] = static_cast<uint64_t>(n.divide(elements[i])); }
};

struct KeysOf {
  uint64_t* to;
  const uint64_t* keys;
  const int64_t* elements;
  ERSATZ_DEVICE void operator()(int64_t i) const { to[i] = keys[elements[i]]; }
};

struct TakeBits {
  uint64_t* keys;
  uint64_t mask;
  ERSATZ_DEVICE void operator()(int64_t i) const { keys[i] &= mask; }
};

}  // namespace detail

/// Sets keys[e] to the key of element e, in the order of the rows.
template <class Key>
void encode(const Tensor& self, const RowShape& shape, bool descending, int row_at, Key* keys) {
  const int device = self.device().index;
  const Strides packed = shape.packed(shape.n);
  const pointwise::LoopOperand operands[] = {{reinterpret_cast<std::byte*>(keys), sizeof(Key), packed},
                                             {self.raw_data(), item_size(self.dtype()), shape.strides}};
  constexpr DTypeSet kSorted = kReals | kBool;
  dispatch_dtype<kSorted>(self.dtype(), [&]<class T>() {
    if constexpr (sizeof(T) <= sizeof(Key)) {
      const Key flip = descending ? Key(std::numeric_limits<typename KeyOf<sizeof(T)>::type>::max()) : Key(0);
      pointwise::for_each_piece<2>(shape.sizes, operands, [&](const pointwise::DevicePiece<2>& piece) {
        cuda_module::launch_each(
            device, piece.numel,
            detail::Encode<T, Key>{piece.offsets, piece.data[0], reinterpret_cast<const std::byte*>(keys),
                                   piece.data[1], LongDivisor(shape.n), flip, row_at});
      });
    }
  });
}

/// The elements of each row, sorted.
class SortedRows {
 public:
  /// keys() may be called only if `with_keys`. REQUIRES: `self` has elements and no lazy bits.
  SortedRows(const Tensor& self, int64_t dim, bool descending, bool with_keys = false)
      : shape_(self, dim), device_(self.device().index), total_(shape_.rows * shape_.n), order_(device_, total_ * 8) {
    const int bits = static_cast<int>(8 * item_size(self.dtype()));
    const int row_bits = bits_for(shape_.rows);
    if (!with_keys && bits + row_bits <= 32) {
      sort_at_once<uint32_t>(self, descending, bits, row_bits);
    } else if (bits + row_bits <= 64) {
      sort_at_once<uint64_t>(self, descending, bits, row_bits);
    } else {
      sort_twice(self, descending, row_bits);
    }
  }

  const RowShape& shape() const { return shape_; }
  /// order()[r * n + i] is the i-th element of sorted row r, as an index over all rows.
  const int64_t* order() const { return order_.as<int64_t>(); }
  /// Returns the keys, in the order of order().
  const uint64_t* keys() const { return sorted_->as<uint64_t>(); }

 private:
  template <class Key>
  void sort_at_once(const Tensor& self, bool descending, int bits, int row_bits) {
    const DeviceScratch keys(device_, total_ * static_cast<int64_t>(sizeof(Key))), elements(device_, total_ * 8);
    sorted_ = std::make_unique<DeviceScratch>(device_, total_ * static_cast<int64_t>(sizeof(Key)));
    encode(self, shape_, descending, row_bits > 0 ? bits : -1, keys.as<Key>());
    cuda_module::launch_each(device_, total_, detail::CountUp{elements.as<int64_t>()});
    cuda_module::sort_pairs(device_, total_, bits + row_bits, keys.as<Key>(), sorted_->as<Key>(),
                            elements.as<int64_t>(), order_.as<int64_t>());
    if constexpr (sizeof(Key) == 8) {
      if (row_bits == 0) return;
      cuda_module::launch_each(device_, total_, detail::TakeBits{sorted_->as<uint64_t>(), (uint64_t(1) << bits) - 1});
    }
  }

  void sort_twice(const Tensor& self, bool descending, int row_bits) {
    const DeviceScratch keys(device_, total_ * 8), elements(device_, total_ * 8), rows(device_, total_ * 8);
    sorted_ = std::make_unique<DeviceScratch>(device_, total_ * 8);
    encode(self, shape_, descending, -1, keys.as<uint64_t>());
    cuda_module::launch_each(device_, total_, detail::CountUp{order_.as<int64_t>()});
    cuda_module::sort_pairs(device_, total_, 64, keys.as<uint64_t>(), sorted_->as<uint64_t>(), order_.as<int64_t>(),
                            elements.as<int64_t>());
    cuda_module::launch_each(device_, total_,
                             detail::RowsOf{rows.as<uint64_t>(), elements.as<int64_t>(), LongDivisor(shape_.n)});
    cuda_module::sort_pairs(device_, total_, row_bits, rows.as<uint64_t>(), sorted_->as<uint64_t>(),
                            elements.as<int64_t>(), order_.as<int64_t>());
    cuda_module::launch_each(device_, total_,
                             detail::KeysOf{sorted_->as<uint64_t>(), keys.as<uint64_t>(), order_.as<int64_t>()});
  }

  RowShape shape_;
  int device_;
  int64_t total_;
  DeviceScratch order_;
  std::unique_ptr<DeviceScratch> sorted_;
};

namespace detail {

template <class Word>
struct WriteChosen {
  pointwise::DeviceOffsets<4> offsets;
  const std::byte* chosen;
  std::byte* values;
  std::byte* indices;
  const std::byte* self;
  LongDivisor n;
  int64_t step;  // in bytes
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = offsets.of(static_cast<uint32_t>(i));
    const int64_t position = n.remainder(*reinterpret_cast<const int64_t*>(chosen + at[0]));
    *reinterpret_cast<Word*>(values + at[1]) = *reinterpret_cast<const Word*>(self + at[3] + position * step);
    *reinterpret_cast<int64_t*>(indices + at[2]) = position;
  }
};

/// Returns the strides of `out` for the rows of `self`, with the stride of `dim` last. `out` need not have that dim.
inline Strides output_strides(const Tensor& out, const Tensor& self, int64_t dim) {
  const int64_t d = dim < 0 ? dim + std::max<int64_t>(self.dim(), 1) : dim;
  const bool lacks = out.dim() < self.dim();
  Strides strides;
  for (int64_t k = 0; k < self.dim(); ++k) {
    if (k != d) strides.push_back(out.strides()[static_cast<size_t>(lacks && k > d ? k - 1 : k)].as_int());
  }
  strides.push_back(lacks || out.dim() == 0 ? 1 : out.strides()[static_cast<size_t>(d)].as_int());
  return strides;
}

}  // namespace detail

/// Copies the elements whose indices are in `chosen` to `values`, and their positions in the row to `indices`. Each row
/// has `count` elements; the rows of `chosen` have the distance `pitch`.
inline void write_chosen(const Tensor& self, const RowShape& shape, int64_t dim, const int64_t* chosen, int64_t count,
                         int64_t pitch, const Tensor& values, const Tensor& indices) {
  const int device = self.device().index;
  const int64_t item = item_size(self.dtype());
  Strides sizes = shape.sizes, of_self = shape.strides;
  sizes.back() = count;
  of_self.back() = 0;
  const Strides of_chosen = shape.packed(pitch), of_values = detail::output_strides(values, self, dim),
                of_indices = detail::output_strides(indices, self, dim);
  const pointwise::LoopOperand operands[] = {{reinterpret_cast<std::byte*>(const_cast<int64_t*>(chosen)), 8, of_chosen},
                                             {values.raw_data(), item, of_values},
                                             {indices.raw_data(), 8, of_indices},
                                             {self.raw_data(), item, of_self}};
  dispatch_item_size(item, [&]<class Word>() {
    pointwise::for_each_piece<4>(sizes, operands, [&](const pointwise::DevicePiece<4>& piece) {
      cuda_module::launch_each(device, piece.numel,
                               detail::WriteChosen<Word>{piece.offsets, piece.data[0], piece.data[1], piece.data[2],
                                                         piece.data[3], LongDivisor(shape.n), shape.step * item});
    });
  });
}

}  // namespace ersatz::device_sort
