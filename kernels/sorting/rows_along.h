// RowsAlong: iterates over the rows of tensors along one dim. Included by _cpu.cpp files.
#pragma once

#include <array>

#include "kernels/dense_operand.h"
#include "runtime/base/inline_vec.h"
#include "runtime/op/copy.h"

namespace ersatz {

/// The rows of `N` tensors with any strides. The first tensor determines the sizes. Another tensor may have a different
/// size in `dim`, or may not have that dim. A 0-d tensor is one row of one element.
template <size_t N>
class RowsAlong {
 public:
  /// `dim` may be negative. REQUIRES: the tensors have memory, and no conj or neg bit.
  RowsAlong(int64_t dim, const std::array<const Tensor*, N>& tensors) {
    const TensorMeta& shape = tensors[0]->meta();
    const auto d = static_cast<size_t>(dim < 0 ? dim + std::max<int64_t>(shape.dim(), 1) : dim);
    for (size_t t = 0; t < N; ++t) {
      const TensorMeta& meta = tensors[t]->meta();
      const bool lacks = meta.dim() < shape.dim();
      step[t] = lacks || meta.dim() == 0 ? 1 : meta.strides[d].as_int();
      for (size_t k = 0; k < shape.sizes.size(); ++k) {
        if (k != d) strides_[t].push_back(meta.strides[lacks && k > d ? k - 1 : k].as_int());
      }
    }
    for (size_t k = 0; k < shape.sizes.size(); ++k) {
      if (k == d) {
        n = shape.sizes[k].as_int();
      } else {
        sizes_.push_back(shape.sizes[k].as_int());
        rows *= shape.sizes[k].as_int();
      }
    }
  }

  /// Returns the offset, in elements, of the row's first element in each tensor.
  std::array<int64_t, N> at(int64_t row) const {
    std::array<int64_t, N> offsets = {};
    for (size_t k = sizes_.size(); k-- > 0;) {
      const int64_t i = row % sizes_[k];
      row /= sizes_[k];
      for (size_t t = 0; t < N; ++t) offsets[t] += i * strides_[t][k];
    }
    return offsets;
  }

  int64_t rows = 1;             ///< number of rows
  int64_t n = 1;                ///< elements of a row in the first tensor
  std::array<int64_t, N> step;  ///< stride along a row, for each tensor

 private:
  InlineVec<int64_t, 6> sizes_;
  std::array<InlineVec<int64_t, 6>, N> strides_;
};

/// Returns `t`, or a copy of `t` if it has a conj or neg bit.
inline Tensor without_lazy_bits(const Tensor& t) {
  return t.meta().conj || t.meta().neg ? [&] {
    Tensor copy = make_real_tensor(TensorMeta(t.dtype(), t.sizes()));
    copy_elements(copy, t);
    return copy;
  }() : t;
}

}  // namespace ersatz
