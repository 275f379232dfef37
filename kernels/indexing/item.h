// The element of a one-element tensor as a number on the host.
#pragma once

#include <vector>

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/indexing/item.h"

namespace ersatz::op_item {

inline constexpr Schema kLocalScalarDense{"aten::_local_scalar_dense(Tensor self) -> Scalar"};
/// [item.C1] exactly one element.
/// RAISES: DataDependentOutput for a fake, which has no values.
inline constexpr TypedSchema kItem{"aten::item(Tensor self) -> Scalar"};

}  // namespace ersatz::op_item

namespace ersatz::ops {

/// The elements of a vector as numbers: known values, else the result of `item` for each, which is a symbol in a fake
/// mode with a ShapeEnv. Symbols may be used as sizes. With the environment's `tolist_at_least_two` each is checked to
/// be at least 2, as in PyTorch. RAISES: NotSupported for other ranks than 1.
std::vector<Value> tolist(const Tensor& vector);

}  // namespace ersatz::ops
