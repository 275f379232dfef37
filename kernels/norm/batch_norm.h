// Batch normalisation: with running statistics (inference), or with the batch's own (training).
//
// Constraints
// [_native_batch_norm_legit.C1] input has at least two dims; dim 1 is the channels (an index error for one dim).
// [_native_batch_norm_legit.C2] parameters have the input's dtype, or f32 beside an f16 or bf16 input.
// [_native_batch_norm_legit.C3] parameters are 1-d with an element per channel. An empty weight or bias is none: on the
//   CPU where input and parameters are dense, on CUDA where cuDNN does not take the call.
// [_native_batch_norm_legit.C4] training needs at least one element per channel.
// [_native_batch_norm_legit.C5] inference needs running_mean and running_var; one does not come without the other.
// [_batch_norm_with_update.C6] on CUDA, an input that cuDNN takes is dense, row-major or channels-last.
// [_batch_norm_no_update.C7] the tensors are not on CUDA: ATen runs its CPU code for whatever it is given.
// The same labels hold for the other overloads, each under its own name.
//
// Results: the output, then the batch's mean and 1/sqrt(var + eps) (empty in inference on the CPU). The output is
// channels-last where the input suggests it, else row-major; CUDA preserves the input's strides, but for `batch_norm`
// where cuDNN takes the call: then it is as on the CPU.
#pragma once

#include <tuple>

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

std::tuple<Tensor, Tensor, Tensor> _native_batch_norm_legit_no_training(const Tensor& input, const Tensor& weight,
                                                                        const Tensor& bias, const Tensor& running_mean,
                                                                        const Tensor& running_var, double momentum,
                                                                        double eps);
/// Training writes the running statistics: momentum * batch + (1 - momentum) * running.
std::tuple<Tensor, Tensor, Tensor> native_batch_norm(const Tensor& input, const Tensor& weight, const Tensor& bias,
                                                     const Tensor& running_mean, const Tensor& running_var,
                                                     bool training, double momentum, double eps);

}  // namespace ersatz::ops
