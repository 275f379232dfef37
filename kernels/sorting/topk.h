// topk: returns the k largest or smallest elements along one dim, and their indices.
//
// Constraints
// [topk.C1] k is between 0 and the dim's size.
// [topk.C2] self is not complex (else TypeError).
// The dim must be in range (else IndexError). Bool is not supported. NaN is the largest. Results are row-major. On the
// CPU, ATen's algorithm decides which of several equal elements are returned, and the order of unsorted results. On
// CUDA, the first of equal elements are returned, and results are always sorted.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/sorting/topk.h"

namespace ersatz::op_topk {

inline constexpr TypedSchema kTopk{
    "aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor "
    "indices)"};

}  // namespace ersatz::op_topk
