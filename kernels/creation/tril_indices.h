// Where a triangle of a matrix lies: `tril_indices`, `triu_indices`.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

/// Rows and columns, [2, n], of what `tril` keeps of a matrix with those sizes; i64 unless given, or i32.
/// [tril_indices.C1] no negative size.
Tensor tril_indices(int64_t row, int64_t col, int64_t offset = 0, const FactoryOptions& options = {});
/// Of what `triu` keeps.
/// [triu_indices.C1] no negative size.
Tensor triu_indices(int64_t row, int64_t col, int64_t offset = 0, const FactoryOptions& options = {});

}  // namespace ersatz::ops
