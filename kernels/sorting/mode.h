// mode: returns the most frequent element along one dim (the smallest, if several are equally frequent), and the index
// of one occurrence.
//
// Constraints
// [mode.C1] the dim is not empty (else IndexError).
// The dim must be in range (else IndexError). Complex is not supported. In a row with NaNs the order is undefined, and
// therefore the mode. Results are row-major. On CUDA no two NaNs are equal, and the index is that of the last
// occurrence.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/sorting/mode.h"

namespace ersatz::op_mode {

inline constexpr TypedSchema kMode{
    "aten::mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)"};

}  // namespace ersatz::op_mode
