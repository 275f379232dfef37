// `_masked_softmax`: a softmax along a dim over the elements that a mask does not exclude. Also its gradient.
//
// An element is excluded if its mask is true. The mask has the sizes of the input. For an input [batch, heads, n, n] it
// may also be [n, n] with mask_type 0, or [batch, n], a mask of keys, with mask_type 1. If all elements of a row are
// excluded, the result is NaN and the gradient is zero. By default `dim` is the last dim. Empty inputs give empty
// results, although PyTorch divides by the size of an empty dim.
//
// [op.C1] the mask is bool.
// [op.C2] the mask has one of the sizes above; in the gradient it has the sizes of grad_output.
// [_masked_softmax_backward.C3] output has the dtype of grad_output and at least as many elements; only the first
//                               elements are used. By default, `dim` is the last dim of output.
//
// The result has the input's strides if the input is dense. The gradient is row-major; if grad_output is 0-d, the
// gradient has size [1].
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/reduction/masked_softmax.h"

namespace ersatz::op_masked_softmax {

inline constexpr TypedSchema kMaskedSoftmax{
    "aten::_masked_softmax(Tensor self, Tensor mask, int? dim=None, int? mask_type=None) -> Tensor"};
/// Returns output * (grad_output - sum(grad_output * output)). The sum is along `dim`, over elements that are not
/// excluded. Excluded elements get 0.
inline constexpr TypedSchema kMaskedSoftmaxBackward{
    "aten::_masked_softmax_backward(Tensor grad_output, Tensor output, Tensor mask, int? dim=None) -> Tensor"};

}  // namespace ersatz::op_masked_softmax
