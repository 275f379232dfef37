// The gradient of the source of `masked_scatter`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/indexing/masked_scatter_backward.h"

namespace ersatz::op_masked_scatter_backward {

/// A row-major tensor of `sizes`: the elements of grad_output at which the mask is true, then zeros. A size of -1 is
/// computed so that there are no zeros.
/// [masked_scatter_backward.C1] a bool mask.
/// [masked_scatter_backward.C2] mask and grad_output broadcast.
/// [masked_scatter_backward.C3] sizes are not negative, except that one may be -1 if no other is 0.
/// [masked_scatter_backward.value] the mask selects no more elements than the result has; with a size of -1 their
///     number is a multiple of the other sizes.
inline constexpr TypedSchema kMaskedScatterBackward{
    "aten::masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor"};

}  // namespace ersatz::op_masked_scatter_backward
