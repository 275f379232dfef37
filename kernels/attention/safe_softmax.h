// _safe_softmax: softmax along a dim, in which a row of only -inf becomes zeros instead of NaN.
//
// [_safe_softmax.C1] an empty input is not complex (TypeError).
//
// Everything else is like in `softmax`: the dim must be in range, elements are converted to `dtype` first, and the
// result is row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/attention/safe_softmax.h"

namespace ersatz::op_safe_softmax {

inline constexpr TypedSchema kSafeSoftmax{
    "aten::_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"};

}  // namespace ersatz::op_safe_softmax
