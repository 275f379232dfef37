// topk: the k largest or smallest elements along one dim, and where they are.
//
// Constraints
// [topk.C1] k is not negative and not more than the dim's size.
// [topk.C2] complex numbers have no order (TypeError).
// The dim is in range (IndexError). Bool is not supported. NaN is the largest. Results are row-major; which of equal
// elements is taken is as ATen's algorithm leaves it, and so is the order of results that need not be sorted. On CUDA
// the first of equal elements are taken, and results are always sorted.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/sorting/topk.h"

namespace ersatz::op_topk {

inline constexpr TypedSchema kTopk{
    "aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor "
    "indices)"};

}  // namespace ersatz::op_topk
