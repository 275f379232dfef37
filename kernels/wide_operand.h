// The precision that kernels made of other ops compute in.
#pragma once

#include "kernels/shape/copy.h"

namespace ersatz {

/// `t`, of f16 and bf16 in f32: so that the result is rounded once.
inline Tensor wide_operand(const Tensor& t) { return is_reduced_float(t.dtype()) ? ops::to(t, DType::F32) : t; }

}  // namespace ersatz
