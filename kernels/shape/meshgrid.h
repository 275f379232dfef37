// Tensors broadcast to common sizes: `meshgrid`, `broadcast_tensors`, `cartesian_prod`.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/op/typed_schema.h"
#include "typed/shape/meshgrid.h"

namespace ersatz::op_meshgrid {

inline constexpr Schema kMeshgrid{"aten::meshgrid(Tensor[] tensors) -> Tensor[]"};
inline constexpr Schema kMeshgridIndexing{"aten::meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]"};
/// Returns for each tensor a view with the common sizes, or the tensor itself if it has these sizes.
/// [broadcast_tensors.C1] the sizes broadcast.
inline constexpr TypedSchema kBroadcastTensors{"aten::broadcast_tensors(Tensor[] tensors) -> Tensor[]"};
/// Returns a matrix with all combinations of one element from each vector as rows. A single vector is returned itself.
/// [cartesian_prod.C1] `tensors` is not empty, and each tensor is a vector.
inline constexpr TypedSchema kCartesianProd{"aten::cartesian_prod(Tensor[] tensors) -> Tensor"};

}  // namespace ersatz::op_meshgrid

namespace ersatz::ops {

/// Returns a view of each vector with the sizes of the grid. Elements of vector k vary along dim k; with "xy", dims 0
/// and 1 are exchanged. A 0-d tensor counts as a vector of size 1.
/// [meshgrid.C1] `tensors` is not empty, and each tensor has at most one dim.
/// [meshgrid.C2] all tensors have one dtype.
/// [meshgrid.C3] indexing is `ij` or `xy`.
std::vector<Tensor> meshgrid(std::span<const Tensor> tensors, std::string_view indexing = "ij");

}  // namespace ersatz::ops
