// `item` and `tolist`: elements of a tensor as numbers on the host.
#pragma once

#include <vector>

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/indexing/item.h"

namespace ersatz::op_item {

inline constexpr Schema kLocalScalarDense{"aten::_local_scalar_dense(Tensor self) -> Scalar"};
/// [item.C1] the tensor has exactly one element.
/// RAISES: DataDependentOutput for a fake tensor, which has no values.
inline constexpr TypedSchema kItem{"aten::item(Tensor self) -> Scalar"};

}  // namespace ersatz::op_item

namespace ersatz::ops {

/// Returns the elements of a vector as numbers: their values if known, else the result of `item` for each. In a fake
/// mode with a ShapeEnv, the results of `item` are symbols, which may be used as sizes. With the environment's
/// `tolist_at_least_two`, each symbol is checked to be at least 2, as in PyTorch. RAISES: NotSupported for other ranks
/// than 1.
std::vector<Value> tolist(const Tensor& vector);

}  // namespace ersatz::ops
