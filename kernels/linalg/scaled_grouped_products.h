// Products of groups of matrices of floats of 8 bits beside their scales: metadata. PyTorch has kernels for CUDA alone.
//
// Constraints, where `op` is the op's name:
// [op.C1] matrices, or batches of them, that fit.
// [op.C2] both are f8e4m3fn. `_scaled_grouped_mm_v2` also takes f4e2m1fn_x2.
// [op.C3] offsets, i32 in one dim, go with a matrix on either side, and there is one for each group.
// [op.C4] self is row-major, mat2 column-major, and their rows and columns begin at multiples of 16 bytes.
// [op.C5] there is no bias, no scale_result, and the result is bf16.
// [op.C6] scales: f32, one for each row of self and each column of mat2 of each group; of MX f8e8m0fnu.
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
