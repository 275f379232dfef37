// Where a tensor is not zero.
#pragma once

#include <vector>

#include "runtime/op/typed_schema.h"
#include "typed/indexing/nonzero.h"

namespace ersatz::op_nonzero {

/// `nonzero_numpy`, and `where` of a condition alone.
/// A vector of positions for each dim; a tensor without dims counts as one of size 1.
inline constexpr TypedSchema kByDim{"aten::{}(Tensor {}) -> Tensor[]", "nonzero_numpy|self"};
/// i64 [count, rank], rows in row-major order of the elements; the count depends on the values, so a fake run cannot
/// know it. Its layout is column-major, as PyTorch's is on the CPU.
inline constexpr TypedSchema kNonzero{"aten::nonzero(Tensor self) -> Tensor"};
inline constexpr Schema kNonzeroOut{"aten::nonzero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"};
/// `size` rows of it, row-major (on CUDA and meta column-major): what is too much is cut, what is missing is filled in.
/// [nonzero_static.C1] size >= 0.
inline constexpr TypedSchema kNonzeroStatic{
    "aten::nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor"};
/// `nonzero`.
inline constexpr TypedSchema kArgwhere{"aten::argwhere(Tensor self) -> Tensor"};

}  // namespace ersatz::op_nonzero
