// LU factors apart: the permutation P, the unit lower triangle L and the upper triangle U of A = P L U.
//
// P is [..., m, m], L [..., m, k] and U [..., k, n] with k the smaller of m and n; all row-major. What is not asked for
// is an empty tensor of one dim.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/lu_unpack.h"

namespace ersatz::op_lu_unpack {

/// Of what `linalg_lu_factor` returned. Any dtype.
/// [lu_unpack.C1] LU_data has two dims at least.
/// [lu_unpack.C2] LU_pivots is i32, where it is asked for.
/// [lu_unpack.C3] LU_pivots is [..., k] (value error).
/// [lu_unpack.value] Pivots number rows, from 1.
inline constexpr TypedSchema kLuUnpack{
    "aten::lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) -> (Tensor P, "
    "Tensor L, Tensor U)"};
/// Of a matrix. Without `pivot` there is no P, which LAPACK does not do on the CPU.
/// [linalg_lu.C1] A has two dims at least.
/// [linalg_lu.C2] `pivot` on the CPU, where A is not empty.
inline constexpr TypedSchema kLinalgLu{
    "aten::linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)"};

}  // namespace ersatz::op_lu_unpack
