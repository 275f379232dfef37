// `scatter` with a number and `reduce`. It calls `scatter.reduce` with a source whose elements are all that number, so
// errors have the labels of `scatter.reduce`.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_scatter_number {

/// `reduce` is "add" or "multiply".
inline constexpr Schema kFunctional{
    "aten::scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor"};
inline constexpr Schema kInplace{
    "aten::scatter_.value_reduce(Tensor(a!) self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor(a!)"};
inline constexpr Schema kOut{
    "aten::scatter.value_reduce_out(Tensor self, int dim, Tensor index, Scalar value, *, str reduce, Tensor(a!) out) "
    "-> "
    "Tensor(a!)"};
inline constexpr Schemas kEach{kFunctional, kInplace, kOut};

}  // namespace ersatz::op_scatter_number
