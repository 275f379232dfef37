// Tensors stretched to a common grid: `meshgrid`, `broadcast_tensors`, `cartesian_prod`.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/op/typed_schema.h"
#include "typed/shape/meshgrid.h"

namespace ersatz::op_meshgrid {

inline constexpr Schema kMeshgrid{"aten::meshgrid(Tensor[] tensors) -> Tensor[]"};
inline constexpr Schema kMeshgridIndexing{"aten::meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]"};
/// Views of common sizes; a tensor that has them already is returned itself.
/// [broadcast_tensors.C1] sizes that broadcast.
inline constexpr TypedSchema kBroadcastTensors{"aten::broadcast_tensors(Tensor[] tensors) -> Tensor[]"};
/// Each combination of an element from each vector, as rows; a single vector itself.
/// [cartesian_prod.C1] vectors, at least one.
inline constexpr TypedSchema kCartesianProd{"aten::cartesian_prod(Tensor[] tensors) -> Tensor"};

}  // namespace ersatz::op_meshgrid

namespace ersatz::ops {

/// A view of each vector (a tensor without dims counts as one of size 1) as a grid of all: dim k runs along tensor k.
/// With `xy` dim 0 runs along tensor 1, and dim 1 along tensor 0.
/// [meshgrid.C1] at least one tensor, each of one dim at most.
/// [meshgrid.C2] of one dtype.
/// [meshgrid.C3] `ij` or `xy`.
std::vector<Tensor> meshgrid(std::span<const Tensor> tensors, std::string_view indexing = "ij");

}  // namespace ersatz::ops
