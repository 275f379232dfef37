// Matrix products whose operands and result differ in dtype, or that are products of groups, and products with an
// activation. Constraints, where `op` is the op's name:
//
// [op.C1] matrices whose inner sizes agree: columns of the first, rows of the second (of `_weight_int8pack_mm` columns
//     of both).
// [op.C2] dtypes that the op multiplies.
// [op.C3] scales have one element a column.
// [_int_mm.C4] on CUDA more than 16 rows, and 8 divides the other sizes; an `out=` argument is row-major, of the sizes.
// [_weight_int8pack_mm.C4] rows of self and all of mat2 are dense.
// Of `_grouped_mm`:
// [_grouped_mm.C3] offsets, i32 in one dim, go with a matrix on either side, and there is one for each group.
// [_grouped_mm.C4] rows or columns are dense, and begin at multiples of 16 bytes.
// [_grouped_mm.C5] there is no bias, and the result has the operands' dtype.
#pragma once

#include "runtime/op/scalar.h"
#include "runtime/op/typed_schema.h"
#include "typed/linalg/mixed_products.h"

namespace ersatz::op_mixed_products {

/// i8 matrices (self may be u8), summed up in i32.
inline constexpr TypedSchema kIntMm{"aten::_int_mm(Tensor self, Tensor mat2) -> Tensor"};
/// self times the transpose of an i8 matrix whose rows have scales.
inline constexpr TypedSchema kInt8Mm{"aten::_weight_int8pack_mm(Tensor self, Tensor mat2, Tensor scales) -> Tensor"};
/// `mm`, `bmm`, `addmm` and `baddbmm` with a result in the operands' dtype, or of f16 and bf16 in f32.
inline constexpr Schema kMmDtype{"aten::{}.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor"};
inline constexpr Schema kAddmmDtype{
    "aten::{0}.dtype(Tensor self, Tensor {1}1, Tensor {1}2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1) -> "
    "Tensor"};
/// relu of `addmm`, or gelu: on CUDA with its tanh.
inline constexpr TypedSchema kActivation{
    "aten::_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, bool "
    "use_gelu=False) -> Tensor"};
/// Products of groups: of two batches, or where one side is a matrix, of its rows, columns or inner part up to each
/// offset. Rows of the result begin at multiples of 16 bytes.
inline constexpr TypedSchema kGrouped{
    "aten::_grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None) -> "
    "Tensor"};
/// relu of `add`.
/// [_add_relu.C2] f32, f64, or an integer with a sign.
inline constexpr Schema kAddRelu{
    "aten::_add_relu{}.Tensor(Tensor{} self, Tensor other, *, Scalar alpha=1) -> Tensor{}"};
inline constexpr Schema kAddReluScalar{
    "aten::_add_relu{}.Scalar(Tensor{} self, Scalar other, Scalar alpha=1) -> Tensor{}"};
inline constexpr Schemas kAddRelus{kAddRelu, kAddReluScalar};

}  // namespace ersatz::op_mixed_products
