// Norms of matrices and the condition numbers that follow from them.
//
// Results have the real dtype of self, or of `dtype`. Orders 1 and -1 are the largest and smallest sum of magnitudes of
// a column, inf and -inf those of a row. 2 and -2 are the largest and smallest singular value. "fro" is the root of the
// sum of squares, "nuc" the sum of singular values.
// Constraints, where `op` is the op's name:
//
// [linalg_matrix_norm.C1] the order is one of these.
// [linalg_matrix_norm.C2] self has 2 dims at least, `dim` names two different ones (index errors out of range).
// [linalg_matrix_norm.C3] floats or complex numbers; for singular values a dtype that LAPACK takes. `dtype` is at least
//     as wide, and complex if self is.
// [linalg_norm.C1] an order requires one or two dims, in `dim` or, without `dim`, in self.
// [linalg_cond.C1] at least 2 dims.
// [linalg_cond.C2] a real order from this list.
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
/// The norm of vectors if `dim` names one dim, the root of the sum of squares if there is no order, else the norm of
/// matrices.
inline constexpr TypedSchema kNorm{
    "aten::linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) "
    "-> Tensor"};
inline constexpr Schema kNormStr{
    "aten::linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) "
    "-> Tensor"};
/// The norm of a matrix times the norm of its inverse. Without `p`, the largest singular value divided by the smallest.
/// 0 for an empty matrix.
inline constexpr TypedSchema kCond{"aten::linalg_cond(Tensor self, Scalar? p=None) -> Tensor"};

}  // namespace ersatz::op_matrix_norm
