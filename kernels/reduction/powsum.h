// linalg__powsum: the sum of absolute values raised to a power, over all elements or over dims.
//
// Constraints
// [linalg__powsum.C1] dims are in range, each named once. The input has at most 64 dims.
// [linalg__powsum.C2] ord is a real number.
// [linalg__powsum.C3] if self is complex, `dtype` is a float or complex dtype.
//
// Elements are first converted to `dtype` if it is given. The result is row-major and real, with the elements'
// precision.
#pragma once

#include "runtime/op/scalar.h"
#include "runtime/op/typed_schema.h"
#include "typed/reduction/powsum.h"

namespace ersatz::op_powsum {

inline constexpr TypedSchema kPowsum{
    "aten::linalg__powsum(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) "
    "-> Tensor"};

}  // namespace ersatz::op_powsum
