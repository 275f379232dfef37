// Elements of a source written one after the other where a mask is true.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/indexing/masked_scatter.h"

namespace ersatz::op_masked_scatter {

/// A row-major copy of `self`, broadcast together with the mask.
/// [masked_scatter.C1] a bool mask.
/// [masked_scatter.C2] mask and self broadcast.
/// [masked_scatter.C3] source of self's dtype.
/// Values: source has an element for each place (runtime error).
inline constexpr TypedSchema kMaskedScatter{"aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor"};

}  // namespace ersatz::op_masked_scatter

namespace ersatz::ops {

/// `self` itself; the mask broadcasts to it.
/// [masked_scatter_.C4] no two elements of self share memory, and mask and source share none with it in part.
Tensor masked_scatter_(const Tensor& self, const Tensor& mask, const Tensor& source);

}  // namespace ersatz::ops
