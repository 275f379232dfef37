// Sums of the rows of a tensor, times coefficients: what matrix exponentials are made of.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/linear_combination.h"

namespace ersatz::op_linear_combination {

/// [i, ...] is the sum over k of coefficients[i, k] * input[k]; row-major.
/// [_compute_linear_combination.C1] the input has a dim and elements.
/// [_compute_linear_combination.C2] coefficients are a matrix with a column for each row of the input, of its
///     dtype, of complex rows the real one: PyTorch reads others as if they were such.
inline constexpr TypedSchema kLinearCombination{
    "aten::_compute_linear_combination(Tensor input, Tensor coefficients) -> Tensor"};
/// Adds the sums to what is in `out`, which must have their dtype and sizes to which they stretch, dim by dim; of
/// nothing it adds nothing to nothing [_compute_linear_combination.C3].
inline constexpr Schema kLinearCombinationOut{
    "aten::_compute_linear_combination.out(Tensor input, Tensor coefficients, *, Tensor(a!) out) -> Tensor(a!)"};

}  // namespace ersatz::op_linear_combination
