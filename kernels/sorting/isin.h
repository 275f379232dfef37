// isin: which elements are among the test elements.
//
// Both sides are compared in their common dtype; bool and complex are not supported, as tensors or as numbers. A NaN is
// among nothing. The result is bool and row-major. `invert`: which are not.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

Tensor isin(const Tensor& elements, const Tensor& test_elements, bool assume_unique = false, bool invert = false);

}  // namespace ersatz::ops
