// The separate factors of an LU factorisation: the permutation P, the unit lower triangle L and the upper triangle U of
// A = P L U.
//
// P is [..., m, m], L is [..., m, k] and U is [..., k, n], where k is the smaller of m and n. All are row-major. If the
// caller does not ask for a result, the result is an empty 1-d tensor.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/linalg/lu_unpack.h"

namespace ersatz::op_lu_unpack {

/// Returns P, L and U for the results of `linalg_lu_factor`, in any dtype.
/// [lu_unpack.C1] LU_data has at least two dims.
/// [lu_unpack.C2] LU_pivots is i32, if `unpack_pivots` is true.
/// [lu_unpack.C3] LU_pivots has sizes [..., k] (value error).
/// [lu_unpack.value] pivots are row numbers, counted from 1.
inline constexpr TypedSchema kLuUnpack{
    "aten::lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) -> (Tensor P, "
    "Tensor L, Tensor U)"};
/// Factors A and returns P, L and U. If `pivot` is false, P is empty. LAPACK on the CPU requires that `pivot` is true.
/// [linalg_lu.C1] A has at least two dims.
/// [linalg_lu.C2] `pivot` is true on the CPU, unless A is empty.
inline constexpr TypedSchema kLinalgLu{
    "aten::linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)"};

}  // namespace ersatz::op_lu_unpack
