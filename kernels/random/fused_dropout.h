// Dropout with a mask of bytes, as older programs for CUDA hold it.
//
// [_fused_dropout.C1] p lies in (0, 1].
// [_fused_dropout.C2] a floating dtype.
// [_masked_scale.C1] mask is u8 or bool, with the sizes of self.
// [_masked_scale.C2] a floating dtype.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_fused_dropout {

/// (result, mask): each element is kept with probability p, and divided by it.
inline constexpr Schema kDropout{
    "aten::_fused_dropout(Tensor self, float p, Generator? generator=None) -> (Tensor, Tensor)"};
/// What the mask keeps, times `scale`; row-major.
inline constexpr Schema kScale{"aten::_masked_scale(Tensor self, Tensor mask, float scale) -> Tensor"};

}  // namespace ersatz::op_fused_dropout
