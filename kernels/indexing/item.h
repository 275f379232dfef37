// The value of a one-element tensor as a host number.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/op/value.h"

namespace ersatz::op_item {

inline constexpr Schema kLocalScalarDense{"aten::_local_scalar_dense(Tensor self) -> Scalar"};
inline constexpr Schema kItem{"aten::item(Tensor self) -> Scalar"};

}  // namespace ersatz::op_item

namespace ersatz::ops {

/// [item.C1] exactly one element.
/// A fake has no values: DataDependentOutput.
Scalar item(const Tensor& self);

}  // namespace ersatz::ops
