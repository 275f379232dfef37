// `batch_norm`, `instance_norm`, `layer_norm`, `group_norm` and `rms_norm`, which call other operators.
//
// Constraints
// [batch_norm.C1] in inference, running_mean and running_var are given.
// [batch_norm.C2] parameters have one element for each channel.
// [instance_norm.C1] if use_input_stats is false, running_mean and running_var are given.
// [instance_norm.C2] parameters are 1-d.
// [group_norm.C1] num_groups is positive, and the input has channels.
// [rms_norm.C1] normalized_shape has at least one dim and equals the input's last sizes.
// [rms_norm.C2] weight has the sizes normalized_shape.
// [rms_norm.C3] the input has at least as many dims as normalized_shape (value error).
// Other errors have the labels of the operator that is called. An input without a dim of channels raises an IndexError.
//
// Layouts: results of batch_norm and group_norm have the layout of the native operator. Results of instance_norm are
// row-major. rms_norm keeps the input's layout if it is a memory format, otherwise the result is row-major.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "typed/norm/norm.h"

namespace ersatz::op_norm {

inline constexpr Schema kBatchNorm{
    "aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool "
    "training, float momentum, float eps, bool cudnn_enabled) -> Tensor"};
/// Returns the results of `batch_norm`, the saved tensors, and the implementation that the gradient must use: 1 for
/// cuDNN, else 0. For an empty input the statistics have no meaning. The constraints are those of batch_norm, with this
/// operator's name.
inline constexpr TypedSchema kBatchNormIndex{
    "aten::_batch_norm_impl_index(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? "
    "running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> (Tensor, Tensor, Tensor, Tensor, "
    "int)"};
/// [_batch_norm_impl_index_backward.C1] impl_index is 0 or 1.
inline constexpr Schema kBatchNormIndexBackward{
    "aten::_batch_norm_impl_index_backward(int impl_index, Tensor input, Tensor grad_output, Tensor? weight, Tensor? "
    "running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_var_transform, bool train, float eps, bool[3] "
    "output_mask, Tensor reservedSpace) -> (Tensor, Tensor, Tensor)"};
/// Calls `_batch_norm_with_update` with copies of the running statistics, and returns the copies too.
inline constexpr Schema kBatchNormUpdated{
    "aten::_batch_norm_with_update_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor "
    "running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor, Tensor running_mean_out, Tensor "
    "running_var_out)"};
/// Returns (out, mean, 1 / deviation, reserve). In inference the last three are empty.
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
/// Computes input / sqrt(mean of squares over normalized_shape + eps) * weight. f16 and bf16 are computed in f32. The
/// default of eps is the epsilon of the compute dtype.
inline constexpr TypedSchema kRmsNorm{
    "aten::rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor"};
/// Returns (out, 1 / root), where root = sqrt(mean of squares + eps) over the last dims, as many as normalized_shape
/// has. The second result is at least f32. Only one condition is checked: weight broadcasts.
inline constexpr TypedSchema kFusedRmsNorm{
    "aten::_fused_rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, float? eps) -> (Tensor, Tensor)"};
/// Returns the gradients that `output_mask` selects. The gradient of input is row-major. Weight has a gradient only if
/// it is given.
/// [_fused_rms_norm_backward.C1] grad_out has input's sizes, which end with normalized_shape.
/// [_fused_rms_norm_backward.C2] rstd has an element for each normalised row.
/// [_fused_rms_norm_backward.C3] grad_out has input's dtype, and weight has the sizes normalized_shape.
inline constexpr TypedSchema kFusedRmsNormBackward{
    "aten::_fused_rms_norm_backward(Tensor grad_out, Tensor input, int[] normalized_shape, Tensor rstd, Tensor? "
    "weight, "
    "bool[2] output_mask) -> (Tensor, Tensor)"};
inline constexpr Schemas kRms{kRmsNorm, kFusedRmsNorm};

}  // namespace ersatz::op_norm

namespace ersatz::ops {

/// In training, the running statistics are updated; both may be undefined. An empty input is not normalised, only
/// multiplied by the weight and added to the bias.
Tensor batch_norm(const Tensor& input, const Tensor& weight, const Tensor& bias, const Tensor& running_mean,
                  const Tensor& running_var, bool training, double momentum, double eps, bool cudnn_enabled = true);
/// Normalises each channel of each image separately. Calls batch_norm with one image that has the channels of all
/// images. The running statistics are updated with the mean over the images.
Tensor instance_norm(const Tensor& input, const Tensor& weight, const Tensor& bias, const Tensor& running_mean,
                     const Tensor& running_var, bool use_input_stats, double momentum, double eps,
                     bool cudnn_enabled = true);

}  // namespace ersatz::ops
