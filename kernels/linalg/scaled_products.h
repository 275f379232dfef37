// Products of matrices of 8-bit and 4-bit floats with scales.
//
// A recipe determines which elements share a scale: the whole matrix, a row of self or column of mat2, or fewer
// elements. Smaller blocks have 16 or 32 elements (NVFP4, MX), 128 elements, or are squares of 128 by 128. The CPU has
// kernels for the first two recipes, CUDA for all.
//
// Constraints, where `op` is the op's name:
// [op.C1] both operands are matrices, and their inner sizes agree.
// [op.C2] both operands are 8-bit or 4-bit floats. On CUDA f8e8m0fnu is accepted only for scales.
// [op.C3] the scales have the count, dtype, sizes and layout of a recipe.
// [op.C4] on CUDA self is row-major, mat2 column-major, and the inner size and the columns of mat2 are multiples of 16.
// [op.C5] a bias has one element for each column, in any real dtype except 8-bit and 4-bit floats. In `_scaled_mm_v2`,
// the bias is f32, f16 or bf16.
// [_scaled_mm.C6] scale_result is one f32 number.
// [_scaled_mm_v2.C6] contraction_dim is empty or [1, 0], the two dims that a matrix product sums over.
// [_scaled_mm.C7] the `out=` argument has dtype out_dtype.
// [_scaled_addmm.C7] self is row-major and has the product's sizes.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_scaled_products {

/// The sizes and dtypes of the scales determine the recipe. If out_dtype is None, the product has self's dtype. If
/// out_dtype is f8e4m3fn or f8e5m2, the product is divided by `scale_result`.
inline constexpr Schema kScaledMm{
    "aten::_scaled_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? bias=None, Tensor? "
    "scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False) -> Tensor"};
/// Like _scaled_mm, but the caller passes the recipes and swizzles, and a list of scales for each matrix.
inline constexpr Schema kScaledMmV2{
    "aten::_scaled_mm_v2(Tensor self, Tensor mat2, Tensor[] scale_a, int[] recipe_a, int[] swizzle_a, Tensor[] "
    "scale_b, int[] recipe_b, int[] swizzle_b, Tensor? bias, ScalarType? out_dtype, int[] contraction_dim=[], bool "
    "use_fast_accum=False) -> Tensor"};
/// `beta * self + alpha * product`. Only a rule is here: PyTorch has a kernel only for CUDA.
inline constexpr Schema kScaledAddmm{
    "aten::_scaled_addmm(Tensor self, Tensor mat1, Tensor mat2, Tensor[] scale_a, int[] recipe_a, int[] swizzle_a, "
    "Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, int[] contraction_dim=[], *, Scalar beta=1, Scalar alpha=1, "
    "bool use_fast_accum=False) -> Tensor"};

}  // namespace ersatz::op_scaled_products
