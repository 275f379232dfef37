// linalg__powsum: the sum of the absolute values raised to a power, over all elements or over dims.
//
// Constraints
// [linalg__powsum.C1] dims are in range, at most 64, each named once.
// [linalg__powsum.C2] ord is a real number.
// [linalg__powsum.C3] for complex elements `dtype` is a float or complex dtype.
// The result is real and row-major. Its precision is that of the input, or of `dtype`, to which elements are converted
// first.
#pragma once

#include "runtime/op/scalar.h"
#include "runtime/op/typed_schema.h"
#include "typed/reduction/powsum.h"

namespace ersatz::op_powsum {

inline constexpr TypedSchema kPowsum{
    "aten::linalg__powsum(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) "
    "-> Tensor"};

}  // namespace ersatz::op_powsum
