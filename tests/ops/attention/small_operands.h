// Operands of attention: two keys and two values with one feature each.
#pragma once

#include "tests/ops/op_values.h"

namespace ersatz {
namespace small_operands {

inline Tensor keys() { return make("f32[1,1,2,1]", {0, 1}); }
inline Tensor values() { return make("f32[1,1,2,1]", {0, 1}); }

}  // namespace small_operands
}  // namespace ersatz
