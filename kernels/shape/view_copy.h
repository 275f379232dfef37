// Copies of views: `alias_copy`, `slice_copy`, `split_copy` and so on, one mechanism for all.
//
// An `X_copy` op takes what the view op `X` takes, refuses what it refuses, with its own name in the labels, and
// answers what the view would show as tensors of their own: row-major, offset 0, without lazy conjugate or negation
// bits. `view_copy` takes strides that `view` refuses too; it copies anyway.
#pragma once

#include <vector>

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

Tensor alias_copy(const Tensor& self);
Tensor lift_fresh_copy(const Tensor& self);
Tensor as_strided_copy(const Tensor& self, std::span<const SymInt> size, std::span<const SymInt> stride,
                       std::optional<SymInt> storage_offset = std::nullopt);
Tensor diagonal_copy(const Tensor& self, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1);
Tensor expand_copy(const Tensor& self, std::span<const SymInt> size, bool implicit = false);
/// [narrow_copy.C1] to [narrow_copy.C4] as `narrow`.
/// [narrow_copy.C5] dim < rank (a runtime error; one below -rank is an index error).
Tensor narrow_copy(const Tensor& self, int64_t dim, SymInt start, SymInt length);
Tensor permute_copy(const Tensor& self, std::span<const SymInt> dims);
Tensor select_copy(const Tensor& self, int64_t dim, SymInt index);
Tensor slice_copy(const Tensor& self, int64_t dim = 0, std::optional<SymInt> start = std::nullopt,
                  std::optional<SymInt> end = std::nullopt, SymInt step = 1);
Tensor t_copy(const Tensor& self);
Tensor transpose_copy(const Tensor& self, int64_t dim0, int64_t dim1);
Tensor unsqueeze_copy(const Tensor& self, int64_t dim);
/// [view_copy.C1] [view_copy.C2] sizes as `view` takes them.
Tensor view_copy(const Tensor& self, std::span<const SymInt> size);

}  // namespace ersatz::ops
