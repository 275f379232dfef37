// The binary cross entropy of probabilities: -(target * log(self) + (1 - target) * log(1 - self)), times `weight`.
//
// Dims of size 1 are squeezed before self and target are compared. A logarithm below -100 counts as -100. A reduction
// other than mean and sum returns the losses with self's sizes and layout. If target has more elements than self, only
// the first losses are returned. Constraints. In labels, `op` is the op's name:
//
// [op.C1]  The sizes of all tensors broadcast after dims of size 1 are squeezed; on CUDA they broadcast to self's
// sizes.
// [op.C2]  All tensors but weight have self's dtype.
// [op.C3]  weight broadcasts to self's sizes, and its product with self can be cast to self's dtype.
// [binary_cross_entropy.value]  elements of self and target are in [0, 1].
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/loss/binary_cross_entropy.h"

namespace ersatz::op_binary_cross_entropy {

inline constexpr TypedSchema kLoss{
    "aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor"};
/// Returns grad_output * (self - target) / max(self * (1 - self), 1e-12), times weight. For a mean, it is divided by
/// the number of elements.
inline constexpr TypedSchema kBackward{
    "aten::binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, int "
    "reduction=1) -> Tensor"};
/// If `out` does not have the sizes of the losses, it keeps its own sizes. If it has more elements than there are
/// losses, its last elements do not change. If it has fewer, it gets the first losses. Weight and reduction are then
/// applied to `out`, so weight broadcasts to the sizes of `out`.
inline constexpr Schema kLossOut{
    "aten::binary_cross_entropy.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, *, Tensor(a!) "
    "out) -> Tensor(a!)"};
inline constexpr Schema kBackwardOut{
    "aten::binary_cross_entropy_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Tensor? "
    "weight=None, int reduction=1, *, Tensor(a!) grad_input) -> Tensor(a!)"};

}  // namespace ersatz::op_binary_cross_entropy
