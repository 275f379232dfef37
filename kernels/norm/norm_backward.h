// Gradients of normalisations: of the input, of the weight and of the bias, each where `output_mask` asks for it.
//
// The arguments of the normalisation are checked by its own rule, in its words. Constraints, where `op` is the op's
// name:
//
// [op.C1]  `grad_out` has the input's dtype; saved statistics have that or, beside f32 parameters, f32; so has a
//          weight of batch norm. Statistics and weight of batch norm have an element for each of the input's channels,
//          those that no gradient asked for comes of aside, and one dim, but on the CPU beside channels-last images or
//          rows of f32 or f64.
// [op.C2]  `grad_out` has as many elements as the input; of batch norm its sizes. Of layer norm, and of batch norm on
//          the CPU of a dense input and gradient in one format, the first elements count, in row-major order and as
//          they lie in memory.
// [op.C3]  Saved statistics have one element a normalised row. Of layer norm the first count, and they do where the
//          gradient of the input or of the weight is asked for.
// [op.C4]  A gradient is asked of what is there: layer norm's weight, its bias.
// [op.C5]  Of group norm, N * C * HxW is 0 where the input has no elements.
//
// [op.layout] The gradient of batch norm's input has the memory format that the input suggests; by running statistics
//          on CUDA it is row-major.
//
// Source: the chain rule; with x' the normalised input, s its saved 1 / deviation, g the incoming gradient times
// weight, and means over what was normalised: s * (g - mean(g) - x' * mean(g * x')), or s * g where running statistics
// were used.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/norm/norm_backward.h"

namespace ersatz::op_norm_backward {

inline constexpr TypedSchema kLayer{
    "aten::native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, Tensor mean, Tensor "
    "rstd, Tensor? weight, Tensor? bias, bool[3] output_mask) -> (Tensor, Tensor, Tensor)"};
inline constexpr TypedSchema kGroup{
    "aten::native_group_norm_backward(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, Tensor? weight, SymInt "
    "N, SymInt C, SymInt HxW, int group, bool[3] output_mask) -> (Tensor, Tensor, Tensor)"};
/// From the saved statistics where `train`, else from the running ones.
inline constexpr TypedSchema kBatch{
    "aten::native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor? running_mean, Tensor? "
    "running_var, Tensor? save_mean, Tensor? save_invstd, bool train, float eps, bool[3] output_mask) -> (Tensor, "
    "Tensor, Tensor)"};
/// The same; `reserve` is what cuDNN saved.
inline constexpr TypedSchema kReserved{
    "aten::batch_norm_backward(Tensor grad_out, Tensor input, Tensor weight, Tensor? running_mean, Tensor? "
    "running_var, Tensor? save_mean, Tensor? save_var, bool update, float eps, bool[3] output_mask, Tensor reserve) -> "
    "(Tensor, Tensor, Tensor)"};
inline constexpr Schemas kEach{kLayer, kGroup, kBatch, kReserved};
inline constexpr Schemas kBatches{kBatch, kReserved};

}  // namespace ersatz::op_norm_backward
