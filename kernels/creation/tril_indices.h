// `tril_indices`, `triu_indices`: the indices of the elements of a triangle.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/creation/tril_indices.h"

namespace ersatz::op_tril_indices {

/// tril_indices returns [2, n] with the rows and columns of the elements that `tril` keeps in a matrix [row, col]. The
/// dtype is i64 or i32, by default i64.
/// [tril_indices.C1] row and col are not negative.
/// triu_indices returns the rows and columns of the elements that `triu` keeps.
/// [triu_indices.C1] row and col are not negative.
inline constexpr TypedSchema kTrilIndices{
    "aten::{}_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor",
    "tril", "triu"};

}  // namespace ersatz::op_tril_indices
