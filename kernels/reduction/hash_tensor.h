// `hash_tensor`, which is known and refused: its result is u64, a dtype that is not here.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_hash_tensor {

/// [hash_tensor.C1] `mode` is 0, which is looked at last;
/// [hash_tensor.C2] dims in range, each named once;
/// [hash_tensor.C3] elements in every reduced dim.
inline constexpr Schema kHashTensor{
    "aten::hash_tensor(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0) -> Tensor"};

}  // namespace ersatz::op_hash_tensor
