// Linear combinations of the rows of a tensor, which matrix exponentials use.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/linear_combination.h"

namespace ersatz::op_linear_combination {

/// [i, ...] is the sum over k of coefficients[i, k] * input[k]; row-major.
/// [_compute_linear_combination.C1] the input has a dim and elements.
/// [_compute_linear_combination.C2] coefficients are a matrix with a column for each row of the input, of its dtype
///     (real for a complex input). PyTorch does not check the dtype and reinterprets the memory.
inline constexpr TypedSchema kLinearCombination{
    "aten::_compute_linear_combination(Tensor input, Tensor coefficients) -> Tensor"};
/// Adds the sums to `out`, which must have their dtype and sizes to which they broadcast
/// [_compute_linear_combination.C3]. Without elements nothing is added.
inline constexpr Schema kLinearCombinationOut{
    "aten::_compute_linear_combination.out(Tensor input, Tensor coefficients, *, Tensor(a!) out) -> Tensor(a!)"};

}  // namespace ersatz::op_linear_combination
