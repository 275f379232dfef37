// `hash_tensor`: the bits of elements, each wide as i64 or f64, combined by exclusive or.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_hash_tensor {

/// The result is u64.
/// [hash_tensor.C1] `mode` is 0, which is looked at after the dims;
/// [hash_tensor.C2] dims in range, each named once;
/// [hash_tensor.C3] elements in every reduced dim.
inline constexpr Schema kHashTensor{
    "aten::hash_tensor(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0) -> Tensor"};

}  // namespace ersatz::op_hash_tensor
