// Powers, exponentials, roots and products of matrices, and inverses and solutions of tensors viewed as matrices.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/matrix_power.h"

namespace ersatz::op_matrix_power {

/// self to the power n by repeated squaring. For n = 0, the result is the identity. For a negative n, it is a power of
/// the inverse.
/// [linalg_matrix_power.C1] self has at least 2 dims.
/// [linalg_matrix_power.C2] self has square matrices.
inline constexpr TypedSchema kPower{"aten::linalg_matrix_power(Tensor self, int n) -> Tensor"};
/// The matrix exponential, by scaling and squaring (Higham 2005). The result is row-major.
/// [linalg_matrix_exp.C1] self has at least 2 dims.
/// [linalg_matrix_exp.C2] self has square matrices.
/// [linalg_matrix_exp.C3] the batch dims of self can be viewed as one dim.
inline constexpr TypedSchema kExp{"aten::linalg_matrix_exp(Tensor self) -> Tensor"};
/// The gradient of the matrix exponential: a view of the upper right block of exp(M), where M consists of the blocks
/// [[self^H, grad], [0, self^H]].
/// [matrix_exp_backward.C1] self has at least 2 dims.
/// [matrix_exp_backward.C2] self has square matrices.
inline constexpr TypedSchema kExpBackward{"aten::matrix_exp_backward(Tensor self, Tensor grad) -> Tensor"};
inline constexpr TypedSchema kOldExp{"aten::matrix_exp(Tensor self) -> Tensor"};
/// The square root X of Hermitian matrices: X X = self, and X is positive semidefinite. Only the lower triangle of self
/// is read. Negative eigenvalues count as 0. The result is row-major.
/// [linalg_matrix_sqrth.C1] self has at least 2 dims.
/// [linalg_matrix_sqrth.C2] self has square matrices.
inline constexpr TypedSchema kSqrth{"aten::linalg_matrix_sqrth(Tensor self) -> Tensor"};
/// A = U H, where U has orthonormal columns and H is positive semidefinite. Both are row-major.
/// [linalg_polar.C1] A has at least 2 dims.
/// [linalg_polar.C2] A has no more columns than rows.
inline constexpr TypedSchema kPolar{"aten::linalg_polar(Tensor A) -> (Tensor U, Tensor H)"};
/// The product of all matrices, in the order that takes the fewest multiplications. A first tensor that is 1-d counts
/// as a row, and a last tensor that is 1-d counts as a column.
/// [linalg_multi_dot.C1] there are at least two tensors.
/// [linalg_multi_dot.C2] all tensors except the first and the last are matrices.
/// [linalg_multi_dot.C3] all tensors have one dtype and one device.
inline constexpr TypedSchema kMultiDot{"aten::linalg_multi_dot(Tensor[] tensors) -> Tensor"};
/// The inverse of self, viewed as a matrix whose row dims are the first `ind` dims.
/// [linalg_tensorinv.C1] `ind` is positive, and the row dims have as many elements as the column dims.
inline constexpr TypedSchema kTensorInv{"aten::linalg_tensorinv(Tensor self, int ind=2) -> Tensor"};
/// The solution X of self X = other. First the dims of self that `dims` names are moved to the end. Then self is viewed
/// as a matrix. Its row dims are the first dims, as many as other has dims. Its column dims are the remaining dims.
/// [linalg_tensorsolve.C1] the row dims have as many elements as other.
inline constexpr TypedSchema kTensorSolve{
    "aten::linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor"};

}  // namespace ersatz::op_matrix_power
