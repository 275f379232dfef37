// Products of matrices of floats of 8 and 4 bits beside their scales.
//
// A recipe says how many elements share a scale: all of a matrix, a row of self or a column of mat2, 16 or 32 elements
// of it (NVFP4, MX), 128 of it, or squares of 128. The CPU multiplies by the first two recipes, CUDA by all.
//
// Constraints, where `op` is the op's name:
// [op.C1] matrices that fit.
// [op.C2] floats of 8 or 4 bits. On CUDA f8e8m0fnu is only for scales.
// [op.C3] scales that a recipe describes: their number, dtype, sizes and layout.
// [op.C4] on CUDA self is row-major, mat2 column-major, and 16 divides the inner size and the columns of mat2.
// [op.C5] a bias has a number for each column, of a dtype that is added in f32; of `_scaled_mm_v2` f32, f16 or bf16.
// [_scaled_mm.C6] scale_result is one f32 number.
// [_scaled_mm_v2.C6] contraction_dim is left out, or says what is multiplied anyway: [1, 0].
// [_scaled_mm.C7] the `out=` argument has the dtype that out_dtype says.
// [_scaled_addmm.C7] self is row-major with the product's sizes.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_scaled_products {

/// The recipe is found by the scales. Without out_dtype the product has self's dtype. With out_dtype f8e4m3fn or f8e5m2
/// it is divided by `scale_result`.
inline constexpr Schema kScaledMm{
    "aten::_scaled_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? bias=None, Tensor? "
    "scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False) -> Tensor"};
/// Recipes and swizzles are given, a list of scales for each matrix.
inline constexpr Schema kScaledMmV2{
    "aten::_scaled_mm_v2(Tensor self, Tensor mat2, Tensor[] scale_a, int[] recipe_a, int[] swizzle_a, Tensor[] "
    "scale_b, int[] recipe_b, int[] swizzle_b, Tensor? bias, ScalarType? out_dtype, int[] contraction_dim=[], bool "
    "use_fast_accum=False) -> Tensor"};
/// `beta * self + alpha * product`: metadata, on CUDA.
inline constexpr Schema kScaledAddmm{
    "aten::_scaled_addmm(Tensor self, Tensor mat1, Tensor mat2, Tensor[] scale_a, int[] recipe_a, int[] swizzle_a, "
    "Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, int[] contraction_dim=[], *, Scalar beta=1, Scalar alpha=1, "
    "bool use_fast_accum=False) -> Tensor"};

}  // namespace ersatz::op_scaled_products
