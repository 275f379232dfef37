// Indices of the elements of a triangle: `tril_indices`, `triu_indices`.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/creation/tril_indices.h"

namespace ersatz::op_tril_indices {

/// Rows and columns, [2, n], of the elements that `tril` keeps, for a matrix of these sizes. The dtype is i64 or i32,
/// by default i64.
/// [tril_indices.C1] no negative size.
/// triu_indices has those that `triu` keeps.
/// [triu_indices.C1] no negative size.
inline constexpr TypedSchema kTrilIndices{
    "aten::{}_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor",
    "tril", "triu"};

}  // namespace ersatz::op_tril_indices
