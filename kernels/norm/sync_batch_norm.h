// Steps of batch normalisation between which processes exchange statistics, and steps of its gradient. f16 and bf16
// have f32 statistics. Constraints, where `op` is the op's name:
//
// [op.C1] input has at least two dims (index error); dim 1 is the channels.
// [op.C2] vectors of channels have an element for each channel, gathered statistics a row for each process.
// [op.C3] each channel has at least one element.
// Tensors of a call have floating dtypes.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_sync_batch_norm {

/// The statistics of one batch: (mean, 1 / deviation).
inline constexpr Schema kStats{"aten::batch_norm_stats(Tensor input, float eps) -> (Tensor, Tensor)"};
/// (mean, variance), where the variance is divided by n. Running statistics, if given, are updated with the variance
/// divided by n - 1.
inline constexpr Schema kUpdateStats{
    "aten::batch_norm_update_stats(Tensor input, Tensor? running_mean, Tensor? running_var, float momentum) -> "
    "(Tensor, Tensor)"};
/// The statistics of all processes from those of each, which has `count` or counts[i] elements for each channel.
/// Updates running statistics like `batch_norm_update_stats`.
inline constexpr Schema kGather{
    "aten::batch_norm_gather_stats(Tensor input, Tensor mean, Tensor invstd, Tensor? running_mean, Tensor? "
    "running_var, float momentum, float eps, int count) -> (Tensor, Tensor)"};
inline constexpr Schema kGatherCounts{
    "aten::batch_norm_gather_stats_with_counts(Tensor input, Tensor mean, Tensor invstd, Tensor? running_mean, Tensor? "
    "running_var, float momentum, float eps, Tensor counts) -> (Tensor, Tensor)"};
/// The normalised input, given the statistics.
inline constexpr Schema kElements{
    "aten::batch_norm_elemt(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, Tensor invstd, float eps) -> "
    "Tensor"};
/// (sum of the gradient, sum of the gradient times (input - mean), gradient of weight, gradient of bias). The first two
/// are computed if input_g.
inline constexpr Schema kReduce{
    "aten::batch_norm_backward_reduce(Tensor grad_out, Tensor input, Tensor mean, Tensor invstd, Tensor? weight, bool "
    "input_g, bool weight_g, bool bias_g) -> (Tensor, Tensor, Tensor, Tensor)"};
/// The gradient of input, from sums over all processes, which have counts[i] elements for each channel.
inline constexpr Schema kElementsBackward{
    "aten::batch_norm_backward_elemt(Tensor grad_out, Tensor input, Tensor mean, Tensor invstd, Tensor? weight, Tensor "
    "sum_dy, Tensor sum_dy_xmu, Tensor count) -> Tensor"};
inline constexpr Schemas kGathers{kGather, kGatherCounts};

}  // namespace ersatz::op_sync_batch_norm
