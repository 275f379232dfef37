// Batch normalisation in steps, between which processes exchange statistics: of one process's batch, of all, and the
// gradient in the same way. f16 and bf16 have statistics in f32. Constraints, where `op` is the op's name:
//
// [op.C1] input has two dims at least (index error); dim 1 is the channels.
// [op.C2] what belongs to channels has an element for each; what was gathered has a row for each process.
// [op.C3] there is an element for each channel.
// Tensors of a call have floating dtypes.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_sync_batch_norm {

/// (mean, 1 / deviation)
inline constexpr Schema kStats{"aten::batch_norm_stats(Tensor input, float eps) -> (Tensor, Tensor)"};
/// (mean, variance) without Bessel's correction; running statistics, where given, move towards them, with it.
inline constexpr Schema kUpdateStats{
    "aten::batch_norm_update_stats(Tensor input, Tensor? running_mean, Tensor? running_var, float momentum) -> "
    "(Tensor, Tensor)"};
/// Of the statistics of processes with `count` elements a channel each, or counts[i], those of all; running statistics
/// as above.
inline constexpr Schema kGather{
    "aten::batch_norm_gather_stats(Tensor input, Tensor mean, Tensor invstd, Tensor? running_mean, Tensor? "
    "running_var, float momentum, float eps, int count) -> (Tensor, Tensor)"};
inline constexpr Schema kGatherCounts{
    "aten::batch_norm_gather_stats_with_counts(Tensor input, Tensor mean, Tensor invstd, Tensor? running_mean, Tensor? "
    "running_var, float momentum, float eps, Tensor counts) -> (Tensor, Tensor)"};
/// The normalised input.
inline constexpr Schema kElements{
    "aten::batch_norm_elemt(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, Tensor invstd, float eps) -> "
    "Tensor"};
/// (sum of the gradient, of the gradient times what the input is above the mean, gradients of weight and bias), the
/// first two with input_g.
inline constexpr Schema kReduce{
    "aten::batch_norm_backward_reduce(Tensor grad_out, Tensor input, Tensor mean, Tensor invstd, Tensor? weight, bool "
    "input_g, bool weight_g, bool bias_g) -> (Tensor, Tensor, Tensor, Tensor)"};
/// The gradient of input, of sums over all processes with counts[i] elements a channel.
inline constexpr Schema kElementsBackward{
    "aten::batch_norm_backward_elemt(Tensor grad_out, Tensor input, Tensor mean, Tensor invstd, Tensor? weight, Tensor "
    "sum_dy, Tensor sum_dy_xmu, Tensor count) -> Tensor"};
inline constexpr Schemas kGathers{kGather, kGatherCounts};

}  // namespace ersatz::op_sync_batch_norm
