// QR factorisation of matrices, as Q and R and as Householder reflectors. Results are column-major, tau is row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/qr.h"

namespace ersatz::op_qr {

/// A = Q R, with Q [..., m, k] and R [..., k, n], where k is the smaller of m and n. With mode "complete" Q is [..., m,
/// m] and R [..., m, n]. With mode "r" Q is empty. LAPACK chooses the signs.
/// [linalg_qr.C1] at least 2 dims.
/// [linalg_qr.C2] mode is reduced, complete or r.
inline constexpr TypedSchema kQr{"aten::linalg_qr(Tensor A, str mode=\"reduced\") -> (Tensor Q, Tensor R)"};
/// R in the upper triangle of `a`, and below it the reflectors, whose scales are tau [..., k].
/// [geqrf.C1] at least 2 dims.
inline constexpr TypedSchema kGeqrf{"aten::geqrf(Tensor self) -> (Tensor a, Tensor tau)"};
/// The product of the reflectors; its first columns, as many as input has.
/// [linalg_householder_product.C1] input has 2 dims at least, tau one less.
/// [linalg_householder_product.C2] input has at least as many rows as columns, and a column for each element of tau.
/// [linalg_householder_product.C3] equal batch sizes.
/// [linalg_householder_product.C4] one dtype.
inline constexpr TypedSchema kHouseholder{"aten::linalg_householder_product(Tensor input, Tensor tau) -> Tensor"};
/// Q input3, or input3 Q if not `left`, where Q is the product of the reflectors self with the scales input2. With
/// `transpose` Q^H replaces Q.
/// [ormqr.C1] self and input3 have equally many dims, at least 2, and input2 has one less.
/// [ormqr.C2] the sizes of input3 fit Q, and input2 has an element for each column of self, or for each row if there
///            are fewer.
/// [ormqr.C3] equal batch sizes.
/// [ormqr.C4] one dtype.
inline constexpr TypedSchema kOrmqr{
    "aten::ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor"};

}  // namespace ersatz::op_qr
