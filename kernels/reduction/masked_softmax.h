// Softmax along a dim of the elements that a mask leaves, `_masked_softmax`, and its gradient.
//
// A mask is true where an element counts for nothing. It has the sizes of the input; beside an input [batch, heads, n,
// n], mask_type 0 takes [n, n], and 1 takes [batch, n], the keys. A row without elements that count is all NaN; its
// gradient is zeros. `dim` is the last one where it is left out. Empty tensors have empty results (PyTorch divides by
// the size of an empty dim).
//
// [op.C1] the mask is bool.
// [op.C2] the mask has one of these sizes; that of the gradient has the sizes of grad_output.
// [_masked_softmax_backward.C3] output has the dtype of grad_output and at least as many elements, of which the first
//     count. Where `dim` is left out, it is the last one of output.
//
// The result has the input's strides where that is dense. The gradient is row-major, of tensors without dims [1].
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/masked_softmax.h"

namespace ersatz::op_masked_softmax {

inline constexpr TypedSchema kMaskedSoftmax{
    "aten::_masked_softmax(Tensor self, Tensor mask, int? dim=None, int? mask_type=None) -> Tensor"};
/// output * (grad_output - sum(grad_output * output)) of the elements that count, the sum along `dim`; else 0.
inline constexpr TypedSchema kMaskedSoftmaxBackward{
    "aten::_masked_softmax_backward(Tensor grad_output, Tensor output, Tensor mask, int? dim=None) -> Tensor"};

}  // namespace ersatz::op_masked_softmax
