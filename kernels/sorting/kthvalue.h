// kthvalue: the k-th smallest element along one dim, and its index.
//
// Constraints
// [kthvalue.C1] the dim is not empty (IndexError).
// [kthvalue.C2] k is in [1, size of the dim].
// The dim is in range (IndexError). Bool and complex are not supported, except as 0-d tensors, which are copied. NaN is
// the largest. Results are row-major. Among equal elements, the CPU selects as ATen's algorithm does, and CUDA by their
// positions.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/sorting/kthvalue.h"

namespace ersatz::op_kthvalue {

inline constexpr TypedSchema kKthvalue{
    "aten::kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)"};

}  // namespace ersatz::op_kthvalue
