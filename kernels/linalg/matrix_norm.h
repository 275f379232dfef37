// Norms of matrices and the condition numbers that follow from them.
//
// Results have the real dtype of self, or of `dtype`. Orders are 1 and -1, the largest and smallest sum of a column's
// magnitudes; inf and -inf, of a row's; 2 and -2, singular values; "fro", the root of the sum of squares, and "nuc",
// the sum of singular values. Constraints, where `op` is the op's name:
//
// [linalg_matrix_norm.C1] the order is one of these.
// [linalg_matrix_norm.C2] self has 2 dims at least, `dim` names two different ones (index errors out of range).
// [linalg_matrix_norm.C3] floats or complex numbers, of singular values those that LAPACK takes; `dtype` is as wide and
//     complex if self is.
// [linalg_norm.C1] an order goes with one or two dims: those of `dim`, or all of self.
// [linalg_cond.C1] at least 2 dims.
// [linalg_cond.C2] a real order from those above.
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
/// Of vectors where one dim is named or there is no order (then the root of the sum of squares), else of matrices.
inline constexpr TypedSchema kNorm{
    "aten::linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) "
    "-> Tensor"};
inline constexpr Schema kNormStr{
    "aten::linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) "
    "-> Tensor"};
/// The norm of a matrix times that of its inverse; without `p` the quotient of its extreme singular values. 0 of
/// nothing.
inline constexpr TypedSchema kCond{"aten::linalg_cond(Tensor self, Scalar? p=None) -> Tensor"};

}  // namespace ersatz::op_matrix_norm
