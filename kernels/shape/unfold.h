// Sliding windows and diagonals: views that read elements in an order of their own.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_unfold {

inline constexpr Schema kUnfold{"aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)"};
inline constexpr Schema kDiagonal{"aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)"};

}  // namespace ersatz::op_unfold

namespace ersatz::ops {

/// Windows of `size` elements every `step` along `dimension`; the window becomes a new last dim.
/// [unfold.C1] size >= 0.
/// [unfold.C2] size is at most the dim's (1 for a 0-d tensor).
/// [unfold.C3] step > 0.
Tensor unfold(const Tensor& self, int64_t dimension, int64_t size, int64_t step);
/// The diagonal of two dims as a new last dim; `offset` above (positive) or below the main one.
/// [diagonal.C1] two different dims.
Tensor diagonal(const Tensor& self, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1);

}  // namespace ersatz::ops
