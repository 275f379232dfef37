// Steps of batch normalisation between which processes exchange statistics, and steps of its gradient. Statistics of
// f16 and bf16 inputs are f32. Constraints, where `op` is the op's name:
//
// [op.C1] input has at least two dims (index error). Dim 1 is the channels.
// [op.C2] vectors of channels have an element for each channel, and gathered statistics have a row for each process.
// [op.C3] each channel has at least one element.
// All tensors of a call have floating dtypes.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_sync_batch_norm {

/// Returns the statistics of one batch: (mean, 1 / deviation).
inline constexpr Schema kStats{"aten::batch_norm_stats(Tensor input, float eps) -> (Tensor, Tensor)"};
/// Returns (mean, variance), where the variance was divided by n. Running statistics, if given, are updated with the
/// variance divided by n - 1.
inline constexpr Schema kUpdateStats{
    "aten::batch_norm_update_stats(Tensor input, Tensor? running_mean, Tensor? running_var, float momentum) -> "
    "(Tensor, Tensor)"};
/// Computes the statistics of all processes from those of each process. Process i has `count` or counts[i] elements for
/// each channel. Updates running statistics like `batch_norm_update_stats`.
inline constexpr Schema kGather{
    "aten::batch_norm_gather_stats(Tensor input, Tensor mean, Tensor invstd, Tensor? running_mean, Tensor? "
    "running_var, float momentum, float eps, int count) -> (Tensor, Tensor)"};
inline constexpr Schema kGatherCounts{
    "aten::batch_norm_gather_stats_with_counts(Tensor input, Tensor mean, Tensor invstd, Tensor? running_mean, Tensor? "
    "running_var, float momentum, float eps, Tensor counts) -> (Tensor, Tensor)"};
/// Returns the normalised input, given the statistics.
inline constexpr Schema kElements{
    "aten::batch_norm_elemt(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, Tensor invstd, float eps) -> "
    "Tensor"};
/// Returns (sum of the gradient, sum of the gradient times (input - mean), gradient of weight, gradient of bias). The
/// sums are computed if input_g is true.
inline constexpr Schema kReduce{
    "aten::batch_norm_backward_reduce(Tensor grad_out, Tensor input, Tensor mean, Tensor invstd, Tensor? weight, bool "
    "input_g, bool weight_g, bool bias_g) -> (Tensor, Tensor, Tensor, Tensor)"};
/// Returns the gradient of input, given the sums of `batch_norm_backward_reduce`, added over all processes. Process i
/// has counts[i] elements for each channel.
inline constexpr Schema kElementsBackward{
    "aten::batch_norm_backward_elemt(Tensor grad_out, Tensor input, Tensor mean, Tensor invstd, Tensor? weight, Tensor "
    "sum_dy, Tensor sum_dy_xmu, Tensor count) -> Tensor"};
inline constexpr Schemas kGathers{kGather, kGatherCounts};

}  // namespace ersatz::op_sync_batch_norm
