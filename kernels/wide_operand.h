// The dtype in which a kernel computes if it calls other operators.
#pragma once

#include "kernels/shape/copy.h"

namespace ersatz {

/// Returns `t`, converted to f32 if it is f16 or bf16, so that the result is rounded only once.
inline Tensor wide_operand(const Tensor& t) { return is_reduced_float(t.dtype()) ? ops::to(t, DType::F32) : t; }

}  // namespace ersatz
