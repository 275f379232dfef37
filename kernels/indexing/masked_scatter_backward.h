// The gradient of what `masked_scatter` was given to write.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/indexing/masked_scatter_backward.h"

namespace ersatz::op_masked_scatter_backward {

/// A row-major tensor of `sizes`: the elements of grad_output where the mask is true, then zeros. A size of -1 is as
/// large as makes the result hold these elements and no zeros.
/// [masked_scatter_backward.C1] a bool mask.
/// [masked_scatter_backward.C2] mask and grad_output broadcast.
/// [masked_scatter_backward.C3] sizes that are not negative, but for one of -1 where the others are not 0.
/// [masked_scatter_backward.value] no more elements are picked than the result has; where a size is -1, as many as the
///     other sizes divide.
inline constexpr TypedSchema kMaskedScatterBackward{
    "aten::masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor"};

}  // namespace ersatz::op_masked_scatter_backward
