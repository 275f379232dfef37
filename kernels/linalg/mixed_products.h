// Matrix products whose operands and result differ in dtype, products of groups, and products with an activation.
// Constraints, where `op` is the op's name:
//
// [op.C1] the operands are matrices, and the first operand has as many columns as the second has rows. In
// `_weight_int8pack_mm`, both operands have the same number of columns.
// [op.C2] the op has a kernel for the operands' dtypes.
// [op.C3] there is one scale for each column of the result.
// [_int_mm.C4] on CUDA self has more than 16 rows, and the other sizes are multiples of 8. An `out=` argument is
// row-major and has the result's sizes.
// [_weight_int8pack_mm.C4] the rows of self are dense, and mat2 is contiguous.
// Constraints of `_grouped_mm`:
// [_grouped_mm.C3] the call has offsets if and only if an operand is 2-d. They are a 1-d i32 tensor with one offset for
// each group.
// [_grouped_mm.C4] the rows or the columns of each operand are dense, and begin at multiples of 16 bytes.
// [_grouped_mm.C5] there is no bias, and the result has the operands' dtype.
#pragma once

#include "runtime/op/scalar.h"
#include "runtime/op/typed_schema.h"
#include "typed/linalg/mixed_products.h"

namespace ersatz::op_mixed_products {

/// The product of i8 matrices (self may be u8), summed in i32.
inline constexpr TypedSchema kIntMm{"aten::_int_mm(Tensor self, Tensor mat2) -> Tensor"};
/// self times the transpose of the i8 matrix mat2. Each row of mat2 has a scale.
inline constexpr TypedSchema kInt8Mm{"aten::_weight_int8pack_mm(Tensor self, Tensor mat2, Tensor scales) -> Tensor"};
/// `mm`, `bmm`, `addmm` and `baddbmm` whose result has dtype out_dtype: the operands' dtype, or f32 for f16 and bf16.
inline constexpr Schema kMmDtype{"aten::{}.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor"};
inline constexpr Schema kAddmmDtype{
    "aten::{0}.dtype(Tensor self, Tensor {1}1, Tensor {1}2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1) -> "
    "Tensor"};
/// relu of the result of `addmm`. If `use_gelu` is true, gelu replaces relu, on CUDA with the tanh approximation.
inline constexpr TypedSchema kActivation{
    "aten::_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, bool "
    "use_gelu=False) -> Tensor"};
/// Products of groups of matrices. A 3-d operand has one matrix for each group. Offsets cut the rows, columns or inner
/// dim of a 2-d operand into groups. The rows of the result begin at multiples of 16 bytes.
inline constexpr TypedSchema kGrouped{
    "aten::_grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None) -> "
    "Tensor"};
/// relu of the result of `add`.
/// [_add_relu.C2] the dtype is f32, f64, or a signed integer.
inline constexpr Schema kAddRelu{
    "aten::_add_relu{}.Tensor(Tensor{} self, Tensor other, *, Scalar alpha=1) -> Tensor{}"};
inline constexpr Schema kAddReluScalar{
    "aten::_add_relu{}.Scalar(Tensor{} self, Scalar other, Scalar alpha=1) -> Tensor{}"};
inline constexpr Schemas kAddRelus{kAddRelu, kAddReluScalar};

}  // namespace ersatz::op_mixed_products
