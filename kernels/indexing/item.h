// The value of a one-element tensor as a host number.
#pragma once

#include <vector>

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/indexing/item.h"

namespace ersatz::op_item {

inline constexpr Schema kLocalScalarDense{"aten::_local_scalar_dense(Tensor self) -> Scalar"};
/// [item.C1] exactly one element.
/// A fake has no values: DataDependentOutput.
inline constexpr TypedSchema kItem{"aten::item(Tensor self) -> Scalar"};

}  // namespace ersatz::op_item

namespace ersatz::ops {

/// The elements of a vector as numbers, in order: values where they are known, else what `item` gives for each, which
/// is a symbol in a fake mode with a ShapeEnv. Symbols may be read as sizes; with the environment's
/// `tolist_at_least_two` each is checked to be 2 at least, as PyTorch does. Other ranks than 1 are NotSupported.
std::vector<Value> tolist(const Tensor& vector);

}  // namespace ersatz::ops
