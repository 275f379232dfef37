// topk: the k largest or smallest elements along one dim, and where they are.
//
// Constraints
// [topk.C1] k is not negative and not more than the dim's size.
// [topk.C2] complex numbers have no order (TypeError).
// The dim is in range (IndexError). Bool is not supported. NaN is the largest. Results are row-major; which of equal
// elements is taken is as ATen's algorithm leaves it, and so is the order of results that need not be sorted. On CUDA
// the first of equal elements are taken, and results are always sorted.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_topk {

inline constexpr Schema kTopk{
    "aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor "
    "indices)"};

}  // namespace ersatz::op_topk

namespace ersatz::ops {

struct TopkResult {
  Tensor values;
  Tensor indices;  ///< i64
};
TopkResult topk(const Tensor& self, SymInt k, int64_t dim = -1, bool largest = true, bool sorted = true);

}  // namespace ersatz::ops
