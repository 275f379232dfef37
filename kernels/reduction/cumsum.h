// cumsum, cumprod: running sums and products along one dim.
//
// Constraints
// [cumsum_.C1] in place, `dtype` is the dtype of self where it is given.
// The same label holds for cumprod_. The dim is in range (IndexError). Integers and bool are computed in i64 unless
// `dtype`, or the dtype of an `out=` or in-place argument, says otherwise; nothing runs in bool. The result is
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
