// Norms of matrices, and condition numbers, which are computed from norms.
//
// Results have the real dtype of self, or of `dtype`. Orders 1 and -1 are the largest and smallest sum of magnitudes in
// a column, and inf and -inf are the largest and smallest sum in a row. Orders 2 and -2 are the largest and smallest
// singular value. "fro" is the root of the sum of squares, and "nuc" is the sum of the singular values.
// Constraints, where `op` is the op's name:
//
// [linalg_matrix_norm.C1] `ord` is one of the orders above.
// [linalg_matrix_norm.C2] self has at least 2 dims, and `dim` names two different dims (index error if out of range).
// [linalg_matrix_norm.C3] self has floats or complex numbers; for singular values, a dtype that LAPACK has. `dtype` is
// at least as wide as self's dtype, and complex if self is complex.
// [linalg_norm.C1] with an order, one or two dims are reduced: those in `dim`, or all dims of self if `dim` is None.
// [linalg_cond.C1] self has at least 2 dims.
// [linalg_cond.C2] `p` is real, and one of the orders above.
#pragma once

#include <optional>

#include "runtime/op/scalar.h"
#include "runtime/op/typed_schema.h"
#include "typed/linalg/matrix_norm.h"

namespace ersatz::op_matrix_norm {

inline constexpr TypedSchema kMatrixNorm{
    "aten::linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? "
    "dtype=None) -> Tensor"};
inline constexpr Schema kMatrixNormStr{
    "aten::linalg_matrix_norm.str_ord(Tensor self, str ord=\"fro\", int[] dim=[-2, -1], bool keepdim=False, *, "
    "ScalarType? dtype=None) -> Tensor"};
/// Computes the vector norm if `dim` names one dim, and the root of the sum of squares if `ord` is None. Otherwise
/// computes the matrix norm.
inline constexpr TypedSchema kNorm{
    "aten::linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) "
    "-> Tensor"};
inline constexpr Schema kNormStr{
    "aten::linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) "
    "-> Tensor"};
/// The norm of a matrix times the norm of its inverse. If `p` is None, this is the largest singular value divided by
/// the smallest. The result for an empty matrix is 0.
inline constexpr TypedSchema kCond{"aten::linalg_cond(Tensor self, Scalar? p=None) -> Tensor"};

}  // namespace ersatz::op_matrix_norm
