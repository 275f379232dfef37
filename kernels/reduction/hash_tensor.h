// `hash_tensor`: the exclusive or of the bits of all elements, each first converted to i64 or f64.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_hash_tensor {

/// Returns a u64 tensor.
/// [hash_tensor.C1] `mode` is 0. PyTorch checks this after the dims.
/// [hash_tensor.C2] dims are in range, each named once.
/// [hash_tensor.C3] no reduced dim is empty.
inline constexpr Schema kHashTensor{
    "aten::hash_tensor(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0) -> Tensor"};

}  // namespace ersatz::op_hash_tensor
