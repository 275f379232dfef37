// The binary cross entropy of probabilities: -(target * log(self) + (1 - target) * log(1 - self)), times `weight`.
//
// Dims of size 1 are squeezed before self and target are compared. A logarithm below -100 counts as -100. Any reduction
// but mean and sum returns the losses, in self's sizes and layout. If target has more elements than self, the first
// losses are kept. Constraints, where `op` is the op's name:
//
// [op.C1]  The sizes of all tensors, without dims of size 1, broadcast; on CUDA to self's.
// [op.C2]  All tensors but weight have self's dtype.
// [op.C3]  weight broadcasts to self's sizes, and its product with self can be cast to self's dtype.
// [binary_cross_entropy.value]  elements of self and target are in [0, 1].
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/loss/binary_cross_entropy.h"

namespace ersatz::op_binary_cross_entropy {

inline constexpr TypedSchema kLoss{
    "aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor"};
/// grad_output * (self - target) / max(self * (1 - self), 1e-12), times weight, divided by the number of elements for a
/// mean.
inline constexpr TypedSchema kBackward{
    "aten::binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, int "
    "reduction=1) -> Tensor"};
/// `out` keeps its sizes if they differ from the losses': with more elements it keeps the surplus ones, with fewer it
/// gets the first losses. It is then weighted and reduced, so weight broadcasts to its sizes.
inline constexpr Schema kLossOut{
    "aten::binary_cross_entropy.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, *, Tensor(a!) "
    "out) -> Tensor(a!)"};
inline constexpr Schema kBackwardOut{
    "aten::binary_cross_entropy_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Tensor? "
    "weight=None, int reduction=1, *, Tensor(a!) grad_input) -> Tensor(a!)"};

}  // namespace ersatz::op_binary_cross_entropy
