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
/// In place `self` itself, to which the mask broadcasts.
/// [masked_scatter_.C4] no two elements of self share memory, and mask and source share none with it in part.
inline constexpr TypedSchema kMaskedScatter{"aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor",
                                            kAndInplace};

}  // namespace ersatz::op_masked_scatter
