// Positions of the nonzero elements of a tensor.
#pragma once

#include <vector>

#include "runtime/op/typed_schema.h"
#include "typed/indexing/nonzero.h"

namespace ersatz::op_nonzero {

/// `nonzero_numpy`, and `where` with a condition only.
/// Returns one vector of coordinates for each dim. A 0-d tensor counts as a vector of size 1.
inline constexpr TypedSchema kByDim{"aten::{}(Tensor {}) -> Tensor[]", "nonzero_numpy|self"};
/// Returns an i64 tensor [count, rank] with one row for each nonzero element, in row-major order of the elements. count
/// depends on data. The layout is column-major, as in PyTorch on the CPU.
inline constexpr TypedSchema kNonzero{"aten::nonzero(Tensor self) -> Tensor"};
inline constexpr Schema kNonzeroOut{"aten::nonzero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"};
/// `nonzero` with exactly `size` rows: surplus rows are dropped, and missing rows are filled with fill_value. The
/// result is row-major on the CPU, else column-major.
/// [nonzero_static.C1] size is not negative.
inline constexpr TypedSchema kNonzeroStatic{
    "aten::nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor"};
/// Returns the result of `nonzero`.
inline constexpr TypedSchema kArgwhere{"aten::argwhere(Tensor self) -> Tensor"};

}  // namespace ersatz::op_nonzero
