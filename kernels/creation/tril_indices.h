// Where a triangle of a matrix lies: `tril_indices`, `triu_indices`.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_tril_indices {

inline constexpr Schema kTrilIndices{
    "aten::{}_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor"};

}  // namespace ersatz::op_tril_indices

namespace ersatz::ops {

/// Rows and columns, [2, n], of what `tril` keeps of a matrix with those sizes; i64 unless given, or i32.
/// [tril_indices.C1] no negative size.
Tensor tril_indices(int64_t row, int64_t col, int64_t offset = 0, const FactoryOptions& options = {});
/// Of what `triu` keeps.
/// [triu_indices.C1] no negative size.
Tensor triu_indices(int64_t row, int64_t col, int64_t offset = 0, const FactoryOptions& options = {});

}  // namespace ersatz::ops
