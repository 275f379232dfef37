// cumsum, cumprod: running sums and products along one dim.
//
// Constraints
// [cumsum_.C1] in place, a given `dtype` is the dtype of self. The op `cumprod_` has this constraint as [cumprod_.C1].
//
// A dim out of range is refused (IndexError). Integers and bool are computed in i64, unless `dtype` is given or an
// `out` or in-place argument has another dtype. Nothing is computed in bool. The result is row-major.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/reduction/cumsum.h"

namespace ersatz::op_cumsum {

inline constexpr TypedSchema kCumsum{"aten::{}(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", "cumsum",
                                     "cumprod"};

}  // namespace ersatz::op_cumsum
