// Products of groups of 8-bit float matrices with scales. Only rules are here, because PyTorch has kernels only for
// CUDA.
//
// Constraints, where `op` is the op's name:
// [op.C1] both operands are matrices or batches of matrices, and their inner sizes agree.
// [op.C2] both operands are f8e4m3fn. `_scaled_grouped_mm_v2` also accepts f4e2m1fn_x2.
// [op.C3] the call has offsets if and only if an operand is 2-d. They are a 1-d i32 tensor with one offset for each
// group.
// [op.C4] self is row-major, mat2 is column-major, and their rows and columns begin at multiples of 16 bytes.
// [op.C5] there is no bias and no scale_result, and the result is bf16.
// [op.C6] scales are f32, one for each row of self and each column of mat2 in each group. For MX formats they are
// f8e8m0fnu.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_scaled_grouped_products {

inline constexpr Schema kScaledGrouped{
    "aten::_scaled_grouped_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? offs=None, Tensor? "
    "bias=None, Tensor? scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False) -> Tensor"};
inline constexpr Schema kScaledGroupedV2{
    "aten::_scaled_grouped_mm_v2(Tensor self, Tensor mat2, Tensor[] scale_a, int[] recipe_a, int[] swizzle_a, Tensor[] "
    "scale_b, int[] recipe_b, int[] swizzle_b, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None, int[] "
    "contraction_dim=[], bool use_fast_accum=False) -> Tensor"};

}  // namespace ersatz::op_scaled_grouped_products
