// Normalisation as users call it: `batch_norm`, `instance_norm`, `layer_norm`, `group_norm`, `rms_norm`, written in
// terms of other ops.
//
// Constraints
// [batch_norm.C1] inference needs running_mean and running_var.
// [batch_norm.C2] parameters have one element per channel.
// [instance_norm.C1] without statistics of the input, running_mean and running_var are needed.
// [instance_norm.C2] parameters are 1-d.
// [group_norm.C1] num_groups and the channels are positive.
// [rms_norm.C1] normalized_shape has at least one dim and is the end of the input's sizes.
// [rms_norm.C2] weight has the sizes normalized_shape.
// [rms_norm.C3] the input has as many dims as normalized_shape, or more (value error).
// What the inner op refuses carries its label; an input without channels is an index error.
//
// Layouts: batch_norm and group_norm as their native ops; instance_norm row-major; rms_norm the input's where that is a
// memory format, else row-major.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "typed/norm/norm.h"

namespace ersatz::op_norm {

inline constexpr Schema kBatchNorm{
    "aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool "
    "training, float momentum, float eps, bool cudnn_enabled) -> Tensor"};
/// `batch_norm` with what was saved, and which implementation a gradient has to ask: 1 for cuDNN, else 0. Of an empty
/// input the statistics say nothing. The constraints of batch_norm hold under its own name.
inline constexpr TypedSchema kBatchNormIndex{
    "aten::_batch_norm_impl_index(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? "
    "running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> (Tensor, Tensor, Tensor, Tensor, "
    "int)"};
/// [_batch_norm_impl_index_backward.C1] an index of those.
inline constexpr Schema kBatchNormIndexBackward{
    "aten::_batch_norm_impl_index_backward(int impl_index, Tensor input, Tensor grad_output, Tensor? weight, Tensor? "
    "running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_var_transform, bool train, float eps, bool[3] "
    "output_mask, Tensor reservedSpace) -> (Tensor, Tensor, Tensor)"};
/// `_batch_norm_with_update` of copies of the running statistics, which are results too.
inline constexpr Schema kBatchNormUpdated{
    "aten::_batch_norm_with_update_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor "
    "running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor, Tensor running_mean_out, Tensor "
    "running_var_out)"};
/// (out, mean, 1 / deviation, reserve); in inference nothing is saved.
inline constexpr Schema kCudnnBatchNorm{
    "aten::cudnn_batch_norm(Tensor input, Tensor weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool "
    "training, float exponential_average_factor, float epsilon) -> (Tensor, Tensor, Tensor, Tensor)"};
inline constexpr Schema kCudnnBatchNormBackward{
    "aten::cudnn_batch_norm_backward(Tensor input, Tensor grad_output, Tensor weight, Tensor? running_mean, Tensor? "
    "running_var, Tensor? save_mean, Tensor? save_var, float epsilon, Tensor reserveSpace) -> (Tensor, Tensor, "
    "Tensor)"};
inline constexpr Schemas kBatches{kBatchNorm, kBatchNormIndex};
inline constexpr Schema kInstanceNorm{
    "aten::instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool "
    "use_input_stats, float momentum, float eps, bool cudnn_enabled) -> Tensor"};
inline constexpr TypedSchema kLayerNorm{
    "aten::layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float "
    "eps=1.0000000000000001e-05, bool cudnn_enable=True) -> Tensor"};
inline constexpr TypedSchema kGroupNorm{
    "aten::group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float "
    "eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor"};
/// input / sqrt(mean of squares over normalized_shape + eps) * weight; f16 and bf16 by way of f32. Without eps: the
/// smallest step above 1 of the type computed in.
inline constexpr TypedSchema kRmsNorm{
    "aten::rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor"};
/// (out, 1 / root), of the last dims, as many as normalized_shape has; the root is f32 at least. Nothing is checked but
/// that weight broadcasts.
inline constexpr TypedSchema kFusedRmsNorm{
    "aten::_fused_rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, float? eps) -> (Tensor, Tensor)"};
/// Gradients of input, row-major, and of weight, each where `output_mask` asks for it (and there is a weight).
/// [_fused_rms_norm_backward.C1] grad_out has the sizes of input, which ends in normalized_shape.
/// [_fused_rms_norm_backward.C2] rstd has an element for each normalised row.
/// [_fused_rms_norm_backward.C3] grad_out has the dtype of input, weight has the sizes normalized_shape.
inline constexpr TypedSchema kFusedRmsNormBackward{
    "aten::_fused_rms_norm_backward(Tensor grad_out, Tensor input, int[] normalized_shape, Tensor rstd, Tensor? "
    "weight, "
    "bool[2] output_mask) -> (Tensor, Tensor)"};
inline constexpr Schemas kRms{kRmsNorm, kFusedRmsNorm};

}  // namespace ersatz::op_norm

namespace ersatz::ops {

/// Training writes the running statistics, which may be undefined. An empty input is scaled and shifted only.
Tensor batch_norm(const Tensor& input, const Tensor& weight, const Tensor& bias, const Tensor& running_mean,
                  const Tensor& running_var, bool training, double momentum, double eps, bool cudnn_enabled = true);
/// Each channel of each image normalised by itself: a batch_norm of one image with all of them. Running statistics get
/// the mean over the images.
Tensor instance_norm(const Tensor& input, const Tensor& weight, const Tensor& bias, const Tensor& running_mean,
                     const Tensor& running_var, bool use_input_stats, double momentum, double eps,
                     bool cudnn_enabled = true);

}  // namespace ersatz::ops
