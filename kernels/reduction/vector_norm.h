// linalg_vector_norm, norm: the p-norm over all elements, or over dims.
//
// Constraints, which norm has under its own name
// [linalg_vector_norm.C1] dims are in range, each named once. If the overload has an argument for dims, the input has
//                         at most 64 dims.
// [linalg_vector_norm.C2] ord is a real number.
// [linalg_vector_norm.C3] for a negative or infinite ord, no reduced dim is empty.
// [linalg_vector_norm.C4] a given dtype is complex exactly if self is, and is not narrower than self's dtype. norm
//                         accepts no complex dtype.
//
// Inputs are floats or complex (NotSupported otherwise). The result is real and row-major.
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

/// The schema pattern of all norms. The order is `ord` or `p`.
inline constexpr Schema kNorm{"aten::{}(Tensor self, {} {}, int[] dim, bool keepdim, {}) -> Tensor"};

}  // namespace ersatz::op_vector_norm

namespace ersatz::ops {

/// Returns the p-norm with p = ord. ord 0 counts the elements that are not zero. inf and -inf give the largest and the
/// smallest absolute value.
Tensor linalg_vector_norm(const Tensor& self, const Scalar& ord, std::optional<std::span<const SymInt>> dim = {},
                          bool keepdim = false, std::optional<DType> dtype = std::nullopt);

}  // namespace ersatz::ops
