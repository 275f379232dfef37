// The gradient of `masked_scatter` for its source.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/indexing/masked_scatter_backward.h"

namespace ersatz::op_masked_scatter_backward {

/// Returns a row-major tensor of `sizes` with the elements of grad_output at which the mask is true, and zeros after
/// them. A size of -1 is computed so that there are no zeros.
/// [masked_scatter_backward.C1] the mask is bool.
/// [masked_scatter_backward.C2] mask and grad_output broadcast to each other.
/// [masked_scatter_backward.C3] sizes are not negative, except that one may be -1 if no other size is 0.
/// [masked_scatter_backward.value] the mask selects no more elements than the result has. With a size of -1, the number
/// of selected elements is a multiple of the product of the other sizes.
inline constexpr TypedSchema kMaskedScatterBackward{
    "aten::masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor"};

}  // namespace ersatz::op_masked_scatter_backward
