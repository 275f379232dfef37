// `masked_scatter`: writes elements of a source, in their order, at the positions at which a mask is true.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/indexing/masked_scatter.h"

namespace ersatz::op_masked_scatter {

/// Returns a row-major copy of `self`, broadcast with the mask, with the elements of source written to it.
/// [masked_scatter.C1] the mask is bool.
/// [masked_scatter.C2] mask and self broadcast to each other.
/// [masked_scatter.C3] source has self's dtype.
/// Values: source has at least one element for each true position (else RuntimeError).
/// `masked_scatter_` returns `self`. The mask broadcasts to `self`.
/// [masked_scatter_.C4] no two elements of self share memory, and neither mask nor source overlaps self partially.
inline constexpr TypedSchema kMaskedScatter{"aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor",
                                            kAndInplace};

}  // namespace ersatz::op_masked_scatter
