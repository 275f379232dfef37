// linalg_vector_norm, norm: the p-norm over all elements, or over dims.
//
// Constraints
// [linalg_vector_norm.C1] dims are in range, at most 64, each named once.
// [linalg_vector_norm.C2] ord is a real number.
// [linalg_vector_norm.C3] for a negative or infinite ord, no reduced dim is empty.
// [linalg_vector_norm.C4] a given dtype is of the input's kind and not narrower. norm accepts none for complex numbers.
// The labels hold for norm, too. Inputs are floats or complex (NotSupported otherwise); the result is real and
// row-major.
#pragma once

#include <optional>

#include "runtime/op/schema_literal.h"
#include "runtime/op/value.h"

namespace ersatz::op_vector_norm {

inline constexpr Schema kLinalgVectorNorm{
    "aten::linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? "
    "dtype=None) -> Tensor"};
inline constexpr Schema kNormScalar{"aten::norm.Scalar(Tensor self, Scalar p=2) -> Tensor"};
inline constexpr Schema kNormScalarOptDim{
    "aten::norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor"};
inline constexpr Schema kNormScalarOptDtype{
    "aten::norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor"};
inline constexpr Schema kNormScalarOptDimDtype{
    "aten::norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype) -> Tensor"};

/// The arguments that all norms share; the order is called `ord` or `p`.
inline constexpr Schema kNorm{"aten::{}(Tensor self, {} {}, int[] dim, bool keepdim, {}) -> Tensor"};

}  // namespace ersatz::op_vector_norm

namespace ersatz::ops {

/// ord 0 counts the elements that are not zero; inf and -inf give the largest and the smallest absolute value.
Tensor linalg_vector_norm(const Tensor& self, const Scalar& ord, std::optional<std::span<const SymInt>> dim = {},
                          bool keepdim = false, std::optional<DType> dtype = std::nullopt);

}  // namespace ersatz::ops
