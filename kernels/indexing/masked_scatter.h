// `masked_scatter`: elements of a source, in order, at the positions at which a mask is true.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/indexing/masked_scatter.h"

namespace ersatz::op_masked_scatter {

/// A row-major copy of `self`, broadcast together with the mask.
/// [masked_scatter.C1] a bool mask.
/// [masked_scatter.C2] mask and self broadcast.
/// [masked_scatter.C3] source of self's dtype.
/// Values: source has an element for each position (runtime error).
/// The in-place form returns `self` itself; the mask broadcasts to it.
/// [masked_scatter_.C4] no two elements of self share memory, and neither mask nor source overlaps it partially.
inline constexpr TypedSchema kMaskedScatter{"aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor",
                                            kAndInplace};

}  // namespace ersatz::op_masked_scatter
