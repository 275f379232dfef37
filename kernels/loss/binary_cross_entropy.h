// The binary cross entropy of probabilities: -(target * log(self) + (1 - target) * log(1 - self)), times `weight`.
//
// Dims of size 1 are no obstacle: self and target may differ in them. A logarithm below -100 counts as -100. The losses
// have self's sizes and layout, and are given by any reduction but mean and sum. Where target has more elements than
// self, the first losses are kept. Constraints, where `op` is the op's name:
//
// [op.C1]  The sizes of all tensors, without the dims of size 1, broadcast; on CUDA to self's.
// [op.C2]  All but weight have self's dtype.
// [op.C3]  weight broadcasts to self's sizes, and its product with self can be cast to self's dtype.
// [binary_cross_entropy.value]  self and target lie in [0, 1].
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/loss/binary_cross_entropy.h"

namespace ersatz::op_binary_cross_entropy {

inline constexpr TypedSchema kLoss{
    "aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor"};
/// grad_output * (self - target) / max(self * (1 - self), 1e-12), times weight, over the number of elements of a mean.
inline constexpr TypedSchema kBackward{
    "aten::binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, int "
    "reduction=1) -> Tensor"};
/// Written losses or gradients of other sizes keep them: an out of more elements than the losses keeps those behind,
/// one of fewer has the first. It is weighted and reduced as it then is, so its sizes are what weight broadcasts to.
inline constexpr Schema kLossOut{
    "aten::binary_cross_entropy.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, *, Tensor(a!) "
    "out) -> Tensor(a!)"};
inline constexpr Schema kBackwardOut{
    "aten::binary_cross_entropy_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Tensor? "
    "weight=None, int reduction=1, *, Tensor(a!) grad_input) -> Tensor(a!)"};

}  // namespace ersatz::op_binary_cross_entropy
