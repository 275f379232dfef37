// Linear combinations of the rows of a tensor. PyTorch's matrix exponential calls this operator.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/linear_combination.h"

namespace ersatz::op_linear_combination {

/// Element [i, ...] of the result is the sum over k of coefficients[i, k] * input[k, ...]. The result is row-major.
/// [_compute_linear_combination.C1] the input has at least one dim, and has elements.
/// [_compute_linear_combination.C2] coefficients are a matrix with a column for each row of the input, in the input's
/// dtype (or real, if the input is complex). PyTorch does not check the dtype and reinterprets the memory.
inline constexpr TypedSchema kLinearCombination{
    "aten::_compute_linear_combination(Tensor input, Tensor coefficients) -> Tensor"};
/// Adds the linear combinations to `out`. If input and `out` are empty, nothing is added.
/// [_compute_linear_combination.C3] `out` has the dtype of the combinations, and sizes to which they broadcast.
inline constexpr Schema kLinearCombinationOut{
    "aten::_compute_linear_combination.out(Tensor input, Tensor coefficients, *, Tensor(a!) out) -> Tensor(a!)"};

}  // namespace ersatz::op_linear_combination
