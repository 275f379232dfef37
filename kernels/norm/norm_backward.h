// Gradients of normalisations. `output_mask` selects among the gradients of the input, the weight and the bias.
//
// The rule of the forward operator checks the arguments that it shares with the gradient, and raises its own errors.
// Constraints, where `op` is the op's name:
//
// [op.C1]  `grad_out` has the input's dtype. Saved statistics, and batch norm's weight, have the input's dtype, or f32
//          if parameters are f32. Batch norm's statistics and weight are 1-d and have an element for each channel,
//          unless no selected gradient reads them. For channels-last images, and rows of f32 or f64, the CPU accepts
//          other ranks.
// [op.C2]  `grad_out` has as many elements as the input, and in batch norm the input's sizes. Layer norm reads the
//          first elements of a larger grad_out in row-major order. Batch norm on the CPU reads them in memory order, if
//          input and gradient are dense in one format.
// [op.C3]  Saved statistics have one element for each normalised row. Layer norm reads the first elements of larger
//          ones, and checks them only if it computes the gradient of the input or of the weight.
// [op.C4]  If layer norm's gradient of weight or bias is selected, the call has that weight or bias.
// [op.C5]  For group norm, N * C * HxW is 0 if the input is empty.
//
// [op.layout] The gradient of batch norm's input has the memory format suggest_memory_format(input). On CUDA with
//             running statistics, the gradient is row-major.
//
// The formulas come from the chain rule. With x' the normalised input, s the saved 1 / deviation and g the incoming
// gradient times weight, the input's gradient is s * (g - mean(g) - x' * mean(g * x')). Means are over the normalised
// dims. With running statistics, the input's gradient is s * g.
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
/// Uses the saved statistics if `train` is true, else the running statistics.
inline constexpr TypedSchema kBatch{
    "aten::native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor? running_mean, Tensor? "
    "running_var, Tensor? save_mean, Tensor? save_invstd, bool train, float eps, bool[3] output_mask) -> (Tensor, "
    "Tensor, Tensor)"};
/// Like native_batch_norm_backward. `reserve` has the data that cuDNN saved in the forward pass.
inline constexpr TypedSchema kReserved{
    "aten::batch_norm_backward(Tensor grad_out, Tensor input, Tensor weight, Tensor? running_mean, Tensor? "
    "running_var, Tensor? save_mean, Tensor? save_var, bool update, float eps, bool[3] output_mask, Tensor reserve) -> "
    "(Tensor, Tensor, Tensor)"};
inline constexpr Schemas kEach{kLayer, kGroup, kBatch, kReserved};
inline constexpr Schemas kBatches{kBatch, kReserved};

}  // namespace ersatz::op_norm_backward
