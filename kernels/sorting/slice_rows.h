// The slices of a dim as rows of a matrix and back: for kernels that compare slices.
#pragma once

#include "runtime/kernel.h"
#include "runtime/tensor.h"

namespace ersatz::op_unique {

/// A view of `self` with `dim` in front. REQUIRES: it has dims.
inline Tensor slices_in_front(const Tensor& self, size_t dim) {
  TensorMeta front = self.meta();
  DimVec sizes{front.sizes[dim]}, strides{front.strides[dim]};
  for (size_t d = 0; d < front.sizes.size(); ++d) {
    if (d == dim) continue;
    sizes.push_back(front.sizes[d]);
    strides.push_back(front.strides[d]);
  }
  front.sizes = sizes;
  front.strides = strides;
  return make_view(self, std::move(front));
}

/// A view of `rows` with its dim 0 back at `dim`.
inline Tensor slices_back(const Tensor& rows, size_t dim) {
  TensorMeta back = rows.meta();
  DimVec sizes, strides;
  for (size_t d = 0; d < back.sizes.size(); ++d) {
    const size_t from = d == dim ? 0 : d < dim ? d + 1 : d;
    sizes.push_back(back.sizes[from]);
    strides.push_back(back.strides[from]);
  }
  back.sizes = sizes;
  back.strides = strides;
  return make_view(rows, std::move(back));
}

/// Of unique_consecutive: slices of a vector are its elements; a dim counted from the end is still answered as slices
/// are.
inline bool runs_of_slices(const KernelCall& call) {
  return call.has(3) && !(call.integer(3) == 0 && call.tensor(0).dim() == 1);
}

/// What is grouped, and how.
enum class Grouping { Elements, Slices, Neighbours };

}  // namespace ersatz::op_unique
