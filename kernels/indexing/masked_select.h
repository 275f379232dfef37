// `masked_select`: returns the elements at which a mask is true, as a vector.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/indexing/masked_select.h"

namespace ersatz::op_masked_select {

/// Returns elements of `self`, broadcast with the mask, in row-major order. Their number depends on data.
/// [masked_select.C1] the mask is bool.
/// [masked_select.C2] mask and self broadcast to each other.
inline constexpr TypedSchema kMaskedSelect{"aten::masked_select(Tensor self, Tensor mask) -> Tensor"};
inline constexpr Schema kMaskedSelectOut{
    "aten::masked_select.out(Tensor self, Tensor mask, *, Tensor(a!) out) -> Tensor(a!)"};

}  // namespace ersatz::op_masked_select
