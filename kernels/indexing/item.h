// The value of a one-element tensor as a host number.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/indexing/item.h"

namespace ersatz::op_item {

inline constexpr Schema kLocalScalarDense{"aten::_local_scalar_dense(Tensor self) -> Scalar"};
/// [item.C1] exactly one element.
/// A fake has no values: DataDependentOutput.
inline constexpr TypedSchema kItem{"aten::item(Tensor self) -> Scalar"};

}  // namespace ersatz::op_item
