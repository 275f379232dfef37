// Dropout with a mask of u8, which older CUDA programs call.
//
// [_fused_dropout.C1] p is in (0, 1].
// [_fused_dropout.C2] the dtype is a float.
// [_masked_scale.C1] mask is u8 or bool, with the sizes of self.
// [_masked_scale.C2] the dtype is a float.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_fused_dropout {

/// Returns (result, mask). Keeps each element with probability p; a kept element is divided by p.
inline constexpr Schema kDropout{
    "aten::_fused_dropout(Tensor self, float p, Generator? generator=None) -> (Tensor, Tensor)"};
/// Returns self * mask * scale as a row-major tensor.
inline constexpr Schema kScale{"aten::_masked_scale(Tensor self, Tensor mask, float scale) -> Tensor"};

}  // namespace ersatz::op_fused_dropout
