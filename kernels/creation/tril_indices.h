// Where a triangle of a matrix lies: `tril_indices`, `triu_indices`.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/creation/tril_indices.h"

namespace ersatz::op_tril_indices {

/// Rows and columns, [2, n], of what `tril` keeps of a matrix with those sizes; i64 unless given, or i32.
/// [tril_indices.C1] no negative size.
/// Of what `triu` keeps.
/// [triu_indices.C1] no negative size.
inline constexpr TypedSchema kTrilIndices{
    "aten::{}_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor",
    "tril", "triu"};

}  // namespace ersatz::op_tril_indices
