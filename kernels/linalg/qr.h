// QR factors of matrices, whole and as Householder reflectors. Results are column-major, tau is row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/qr.h"

namespace ersatz::op_qr {

/// A = Q R: Q [..., m, k] and R [..., k, n] with k the smaller of m and n; whole, [..., m, m] and [..., m, n], where
/// `mode` is "complete"; of "r" Q is empty. Signs are LAPACK's choice.
/// [linalg_qr.C1] at least 2 dims.
/// [linalg_qr.C2] mode is reduced, complete or r.
inline constexpr TypedSchema kQr{"aten::linalg_qr(Tensor A, str mode=\"reduced\") -> (Tensor Q, Tensor R)"};
/// R in the upper triangle, and below it the reflectors whose scales are tau [..., k].
/// [geqrf.C1] at least 2 dims.
inline constexpr TypedSchema kGeqrf{"aten::geqrf(Tensor self) -> (Tensor a, Tensor tau)"};
/// The first columns of the product of reflectors, as many as input has.
/// [linalg_householder_product.C1] input has 2 dims at least, tau one less.
/// [linalg_householder_product.C2] input is not wider than tall, and has a column for each tau.
/// [linalg_householder_product.C3] one batch.
/// [linalg_householder_product.C4] one dtype.
inline constexpr TypedSchema kHouseholder{"aten::linalg_householder_product(Tensor input, Tensor tau) -> Tensor"};
/// The product of Q, of the reflectors self and the scales input2, and input3: Q input3, or input3 Q where not `left`;
/// of Q^H with `transpose`.
/// [ormqr.C1] self and input3 have one number of dims, 2 at least, input2 one less.
/// [ormqr.C2] input3 fits Q, and there are as many scales as columns of self, or rows where these are fewer.
/// [ormqr.C3] one batch.
/// [ormqr.C4] one dtype.
inline constexpr TypedSchema kOrmqr{
    "aten::ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor"};

}  // namespace ersatz::op_qr
