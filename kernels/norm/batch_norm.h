// Batch normalisation, with the running statistics (inference) or with the statistics of the batch (training).
//
// Constraints
// [_native_batch_norm_legit.C1] input has at least two dims. Dim 1 is the channels (index error if there is one dim
// only).
// [_native_batch_norm_legit.C2] parameters have the input's dtype, or f32 if the input is f16 or bf16. The function
// require_variance in batch_norm.cpp has an exception.
// [_native_batch_norm_legit.C3] parameters are 1-d and have an element for each channel. An empty weight or bias counts
// as None in two cases: on the CPU for dense input and parameters, and on CUDA without cuDNN.
// [_native_batch_norm_legit.C4] training needs at least one element per channel.
// [_native_batch_norm_legit.C5] the call has both running_mean and running_var. In training, both may be absent.
// [_batch_norm_with_update.C6] on CUDA, if PyTorch uses cuDNN, the input is row-major or channels-last, without gaps.
// [_batch_norm_no_update.C7] the tensors are not on CUDA, because ATen runs its CPU code for any device.
// The other overloads have these labels with their own names.
//
// Results: the output, then the batch's mean and 1/sqrt(var + eps), which are empty in inference on the CPU. On the
// CPU, the output is channels-last if suggest_memory_format(input) is, else row-major. On CUDA, the output has the
// input's strides. A `batch_norm` that uses cuDNN has the layout of the CPU.
#pragma once

#include <tuple>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/norm/batch_norm.h"

namespace ersatz::op_batch_norm {

inline constexpr TypedSchema kNativeBatchNormLegitNoTraining{
    "aten::_native_batch_norm_legit_no_training(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, "
    "Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor)"};
inline constexpr Schema kNativeBatchNormLegit{
    "aten::_native_batch_norm_legit(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, Tensor(b!) "
    "running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)"};
inline constexpr Schema kNativeBatchNormLegitNoStats{
    "aten::_native_batch_norm_legit.no_stats(Tensor input, Tensor? weight, Tensor? bias, bool training, float "
    "momentum, float eps) -> (Tensor, Tensor, Tensor)"};
/// In training, the running statistics become momentum * batch + (1 - momentum) * running.
inline constexpr TypedSchema kNativeBatchNorm{
    "aten::native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, "
    "bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)"};
inline constexpr Schema kNativeBatchNormOut{
    "aten::native_batch_norm.out(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? "
    "running_var, bool training, float momentum, float eps, *, Tensor(a!) out, Tensor(b!) save_mean, Tensor(c!) "
    "save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!))"};
inline constexpr Schema kNativeBatchNormLegitOut{
    "aten::_native_batch_norm_legit.out(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, "
    "Tensor(b!) running_var, bool training, float momentum, float eps, *, Tensor(d!) out, Tensor(e!) save_mean, "
    "Tensor(f!) save_invstd) -> (Tensor(d!), Tensor(e!), Tensor(f!))"};
inline constexpr Schema kNativeBatchNormLegitFunctional{
    "aten::_native_batch_norm_legit_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor "
    "running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor running_mean_out, "
    "Tensor running_var_out)"};
inline constexpr Schema kBatchNormWithUpdate{
    "aten::_batch_norm_with_update(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, Tensor(b!) "
    "running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor)"};
inline constexpr Schema kBatchNormWithUpdateOut{
    "aten::_batch_norm_with_update.out(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, Tensor(b!) "
    "running_var, float momentum, float eps, *, Tensor(d!) out, Tensor(e!) save_mean, Tensor(f!) save_invstd, "
    "Tensor(g!) reserve) -> (Tensor(d!), Tensor(e!), Tensor(f!), Tensor(g!))"};
inline constexpr Schema kBatchNormNoUpdate{
    "aten::_batch_norm_no_update(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? "
    "running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor)"};
inline constexpr Schemas kUpdating{kBatchNormWithUpdate, kBatchNormWithUpdateOut};
inline constexpr Schemas kWithStatistics{kNativeBatchNormLegitNoTraining,
                                         kNativeBatchNormLegit,
                                         kNativeBatchNorm,
                                         kNativeBatchNormOut,
                                         kNativeBatchNormLegitOut,
                                         kNativeBatchNormLegitFunctional,
                                         kBatchNormWithUpdate,
                                         kBatchNormWithUpdateOut,
                                         kBatchNormNoUpdate};
inline constexpr Schemas kEach{kNativeBatchNormLegitNoTraining,
                               kNativeBatchNormLegit,
                               kNativeBatchNormLegitNoStats,
                               kNativeBatchNorm,
                               kNativeBatchNormOut,
                               kNativeBatchNormLegitOut,
                               kNativeBatchNormLegitFunctional,
                               kBatchNormWithUpdate,
                               kBatchNormWithUpdateOut,
                               kBatchNormNoUpdate};

}  // namespace ersatz::op_batch_norm
