// Where a tensor is not zero.
#pragma once

#include <vector>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_nonzero {

/// `nonzero_numpy`, and `where` of a condition alone.
inline constexpr Schema kByDim{"aten::{}(Tensor {}) -> Tensor[]"};
inline constexpr Schema kNonzero{"aten::nonzero(Tensor self) -> Tensor"};
inline constexpr Schema kNonzeroOut{"aten::nonzero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kNonzeroStatic{
    "aten::nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor"};
inline constexpr Schema kArgwhere{"aten::argwhere(Tensor self) -> Tensor"};

}  // namespace ersatz::op_nonzero

namespace ersatz::ops {

/// i64 [count, rank], rows in row-major order of the elements; the count depends on the values, so a fake run cannot
/// know it. Its layout is column-major, as PyTorch's is on the CPU.
Tensor nonzero(const Tensor& self);
/// `size` rows of it, row-major (on CUDA column-major): what is too much is cut, what is missing is filled in.
/// [nonzero_static.C1] size >= 0.
Tensor nonzero_static(const Tensor& self, SymInt size, int64_t fill_value = -1);
/// `nonzero`.
Tensor argwhere(const Tensor& self);
/// A vector of positions for each dim; a tensor without dims counts as one of size 1.
std::vector<Tensor> nonzero_numpy(const Tensor& self);

}  // namespace ersatz::ops
