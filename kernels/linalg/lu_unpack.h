// The separate factors of an LU factorisation: the permutation P, the unit lower triangle L and the upper triangle U of
// A = P L U.
//
// P is [..., m, m], L [..., m, k] and U [..., k, n], where k is the smaller of m and n. All are row-major. A result
// that is not asked for is an empty 1-d tensor.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/lu_unpack.h"

namespace ersatz::op_lu_unpack {

/// Unpacks the results of `linalg_lu_factor`. Any dtype.
/// [lu_unpack.C1] LU_data has two dims at least.
/// [lu_unpack.C2] LU_pivots is i32, if `unpack_pivots`.
/// [lu_unpack.C3] LU_pivots is [..., k] (value error).
/// [lu_unpack.value] Pivots are row numbers, from 1.
inline constexpr TypedSchema kLuUnpack{
    "aten::lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) -> (Tensor P, "
    "Tensor L, Tensor U)"};
/// Factors a matrix and unpacks. Without `pivot`, which LAPACK does not support on the CPU, P is empty.
/// [linalg_lu.C1] A has two dims at least.
/// [linalg_lu.C2] on the CPU `pivot` is true, unless A is empty.
inline constexpr TypedSchema kLinalgLu{
    "aten::linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)"};

}  // namespace ersatz::op_lu_unpack
