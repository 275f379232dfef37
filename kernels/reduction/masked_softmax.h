// `_masked_softmax`, a softmax along a dim over the elements that a mask leaves, and its gradient.
//
// Elements are excluded where the mask is true. The mask has the sizes of the input. For an input [batch, heads, n, n]
// it may be [n, n] with mask_type 0, or [batch, n] (a mask of keys) with mask_type 1. A row whose elements are all
// excluded is NaN; its gradient is zero. `dim` is the last one by default. Empty tensors have empty results, although
// PyTorch divides by the size of an empty dim.
//
// [op.C1] the mask is bool.
// [op.C2] the mask has one of these sizes; the gradient's mask has the sizes of grad_output.
// [_masked_softmax_backward.C3] output has the dtype of grad_output and at least as many elements; only the first ones
//                               are used. By default, `dim` is the last dim of output.
//
// The result has the input's strides if the input is dense. The gradient is row-major; for tensors without dims its
// size is [1].
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/masked_softmax.h"

namespace ersatz::op_masked_softmax {

inline constexpr TypedSchema kMaskedSoftmax{
    "aten::_masked_softmax(Tensor self, Tensor mask, int? dim=None, int? mask_type=None) -> Tensor"};
/// output * (grad_output - sum(grad_output * output)), the sum along `dim` over elements that are not excluded.
/// Excluded elements get 0.
inline constexpr TypedSchema kMaskedSoftmaxBackward{
    "aten::_masked_softmax_backward(Tensor grad_output, Tensor output, Tensor mask, int? dim=None) -> Tensor"};

}  // namespace ersatz::op_masked_softmax
