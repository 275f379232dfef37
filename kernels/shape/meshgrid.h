// Tensors broadcast to a common grid: `meshgrid`, `broadcast_tensors`, `cartesian_prod`.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/op/typed_schema.h"
#include "typed/shape/meshgrid.h"

namespace ersatz::op_meshgrid {

inline constexpr Schema kMeshgrid{"aten::meshgrid(Tensor[] tensors) -> Tensor[]"};
inline constexpr Schema kMeshgridIndexing{"aten::meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]"};
/// Views of common sizes; a tensor that has these sizes is returned itself.
/// [broadcast_tensors.C1] the sizes broadcast.
inline constexpr TypedSchema kBroadcastTensors{"aten::broadcast_tensors(Tensor[] tensors) -> Tensor[]"};
/// All combinations of one element from each vector, as rows; a single vector is returned itself.
/// [cartesian_prod.C1] there is at least one tensor, and each is a vector.
inline constexpr TypedSchema kCartesianProd{"aten::cartesian_prod(Tensor[] tensors) -> Tensor"};

}  // namespace ersatz::op_meshgrid

namespace ersatz::ops {

/// Returns for each vector a view of the grid's sizes: dim k of the grid runs along tensor k. A tensor without dims
/// counts as a vector of size 1. With `xy`, dim 0 runs along tensor 1, and dim 1 along tensor 0.
/// [meshgrid.C1] there is at least one tensor, and each has at most one dim.
/// [meshgrid.C2] all have one dtype.
/// [meshgrid.C3] indexing is `ij` or `xy`.
std::vector<Tensor> meshgrid(std::span<const Tensor> tensors, std::string_view indexing = "ij");

}  // namespace ersatz::ops
