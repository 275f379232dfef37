// Exchanging two dims: `t` for matrices, `transpose` for any rank; each also in place (metadata only).
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_transpose {

inline constexpr Schema kT{"aten::t(Tensor(a) self) -> Tensor(a)"};
inline constexpr Schema kTInplace{"aten::t_(Tensor(a!) self) -> Tensor(a!)"};
inline constexpr Schema kTransposeInt{"aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)"};
inline constexpr Schema kTransposeInplace{"aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)"};

}  // namespace ersatz::op_transpose

namespace ersatz::ops {

/// The matrix transposed; a vector or a 0-d tensor as it is.
/// [t.C1] at most 2 dims.
Tensor t(const Tensor& self);
/// Dims `dim0` and `dim1` exchanged; each in [-rank, rank), else an index error.
Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1);
/// `self` itself with new sizes and strides.
Tensor t_(const Tensor& self);
Tensor transpose_(const Tensor& self, int64_t dim0, int64_t dim1);

}  // namespace ersatz::ops
