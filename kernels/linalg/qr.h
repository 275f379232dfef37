// QR factorisation of matrices, as Q and R and as Householder reflectors. Results are column-major, tau is row-major.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/qr.h"

namespace ersatz::op_qr {

/// A = Q R. With k the smaller of m and n, Q is [..., m, k] and R is [..., k, n]. In mode "complete" Q is [..., m, m]
/// and R is [..., m, n]. In mode "r" Q is empty. LAPACK chooses the signs.
/// [linalg_qr.C1] A has at least 2 dims.
/// [linalg_qr.C2] mode is reduced, complete or r.
inline constexpr TypedSchema kQr{"aten::linalg_qr(Tensor A, str mode=\"reduced\") -> (Tensor Q, Tensor R)"};
/// Returns `a`, with R in its upper triangle and the reflectors below it. tau [..., k] has the scales of the
/// reflectors.
/// [geqrf.C1] self has at least 2 dims.
inline constexpr TypedSchema kGeqrf{"aten::geqrf(Tensor self) -> (Tensor a, Tensor tau)"};
/// The first columns of the product of the reflectors, as many columns as input has.
/// [linalg_householder_product.C1] input has at least 2 dims, and tau has one dim less.
/// [linalg_householder_product.C2] input has at least as many rows as columns, and a column for each element of tau.
/// [linalg_householder_product.C3] input and tau have equal batch sizes.
/// [linalg_householder_product.C4] input and tau have one dtype.
inline constexpr TypedSchema kHouseholder{"aten::linalg_householder_product(Tensor input, Tensor tau) -> Tensor"};
/// Q input3, or input3 Q if `left` is false, where Q is the product of the reflectors in self, whose scales are in
/// input2. If `transpose` is true, Q^H replaces Q.
/// [ormqr.C1] self and input3 have equally many dims, at least 2, and input2 has one dim less.
/// [ormqr.C2] the sizes of input3 fit Q. input2 has an element for each column of self, or for each row if self has
/// fewer rows than columns.
/// [ormqr.C3] self, input2 and input3 have equal batch sizes.
/// [ormqr.C4] self, input2 and input3 have one dtype.
inline constexpr TypedSchema kOrmqr{
    "aten::ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor"};

}  // namespace ersatz::op_qr
