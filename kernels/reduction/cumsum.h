// cumsum, cumprod: running sums and products along one dim.
//
// Constraints
// [cumsum_.C1] in place, a given `dtype` is the dtype of self.
// The label holds for cumprod_, too. The dim is in range (IndexError). Integers and bool are computed in i64, unless
// `dtype` or the dtype of an `out=` or in-place argument is another one; nothing is computed in bool. The result is
// row-major.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/reduction/cumsum.h"

namespace ersatz::op_cumsum {

inline constexpr TypedSchema kCumsum{"aten::{}(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", "cumsum",
                                     "cumprod"};

}  // namespace ersatz::op_cumsum
