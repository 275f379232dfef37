// kthvalue: returns the k-th smallest element along one dim, and its index.
//
// [kthvalue.C1] the dim is not empty (else IndexError).
// [kthvalue.C2] k is in [1, size of the dim].
// The dim must be in range (else IndexError). Bool and complex are supported only for 0-d tensors, which are copied.
// NaN is the largest. Results are row-major. Among equal elements, the CPU returns the index that ATen's algorithm
// finds. CUDA orders them by position.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/sorting/kthvalue.h"

namespace ersatz::op_kthvalue {

inline constexpr TypedSchema kKthvalue{
    "aten::kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)"};

}  // namespace ersatz::op_kthvalue
