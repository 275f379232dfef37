// Matrix products whose operands and result differ in dtype, products of groups, and products with an activation.
// Constraints, where `op` is the op's name:
//
// [op.C1] the operands are matrices, and the columns of the first equal the rows of the second (for
//         `_weight_int8pack_mm` the columns of both are equal).
// [op.C2] the op has a kernel for the operands' dtypes.
// [op.C3] one scale for each column.
// [_int_mm.C4] on CUDA self has more than 16 rows, and the other sizes are multiples of 8; an `out=` argument is
//              row-major and has the result's sizes.
// [_weight_int8pack_mm.C4] the rows of self are dense, and mat2 is contiguous.
// Constraints of `_grouped_mm`:
// [_grouped_mm.C3] offsets, i32 and 1-d, are given if an operand is 2-d; one for each group.
// [_grouped_mm.C4] rows or columns are dense, and begin at multiples of 16 bytes.
// [_grouped_mm.C5] there is no bias, and the result has the operands' dtype.
#pragma once

#include "runtime/op/scalar.h"
#include "runtime/op/typed_schema.h"
#include "typed/linalg/mixed_products.h"

namespace ersatz::op_mixed_products {

/// The product of i8 matrices (self may be u8), summed in i32.
inline constexpr TypedSchema kIntMm{"aten::_int_mm(Tensor self, Tensor mat2) -> Tensor"};
/// self times the transpose of the i8 matrix mat2, whose rows have scales.
inline constexpr TypedSchema kInt8Mm{"aten::_weight_int8pack_mm(Tensor self, Tensor mat2, Tensor scales) -> Tensor"};
/// `mm`, `bmm`, `addmm` and `baddbmm` with a result in the operands' dtype, or in f32 for f16 and bf16 operands.
inline constexpr Schema kMmDtype{"aten::{}.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor"};
inline constexpr Schema kAddmmDtype{
    "aten::{0}.dtype(Tensor self, Tensor {1}1, Tensor {1}2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1) -> "
    "Tensor"};
/// relu of `addmm`, or gelu of it; on CUDA with the tanh approximation of gelu.
inline constexpr TypedSchema kActivation{
    "aten::_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, bool "
    "use_gelu=False) -> Tensor"};
/// Products of groups of matrices. A 3-d operand is a batch of groups; offsets cut the rows, columns or inner dim of a
/// 2-d operand. Rows of the result begin at multiples of 16 bytes.
inline constexpr TypedSchema kGrouped{
    "aten::_grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None) -> "
    "Tensor"};
/// relu of `add`.
/// [_add_relu.C2] f32, f64, or a signed integer.
inline constexpr Schema kAddRelu{
    "aten::_add_relu{}.Tensor(Tensor{} self, Tensor other, *, Scalar alpha=1) -> Tensor{}"};
inline constexpr Schema kAddReluScalar{
    "aten::_add_relu{}.Scalar(Tensor{} self, Scalar other, Scalar alpha=1) -> Tensor{}"};
inline constexpr Schemas kAddRelus{kAddRelu, kAddReluScalar};

}  // namespace ersatz::op_mixed_products
