// One step of an optimizer on lists of tensors: Adam (Kingma and Ba 2015), AdamW (Loshchilov and Hutter 2019), SGD with
// momentum, Adagrad (Duchi et al. 2011).
//
// The in-place forms write parameters and state; the functional ones do it to copies, and return those lists; of the
// `out=` forms the new parameters alone are written, to `out`. f16 and bf16 are computed in f32. With `grad_scale`
// gradients are divided by it, and written so; with a `found_inf` of 1 nothing changes. Steps of Adam and Adagrad are
// those of the caller. Constraints, where `op` is the op's name:
//
// [op.C1] lists of one length, of one tensor at least. Without momentum SGD has no buffers; the largest averages that
//     Adam does not use are not looked at.
// [op.C2] tensors of one place have one dtype and sizes.
// [op.C3] a step is one number.
// [op.C4] grad_scale and found_inf are one f32 number each.
// [op.C5] a learning rate in a tensor is one number.
// Tensors are of floating dtypes.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_fused_optimizers {

/// `adam` and `adamw`.
inline constexpr Schema kAdam{
    "aten::_fused_{}(Tensor{}[] self, Tensor{}[] grads, Tensor{}[] exp_avgs, Tensor{}[] exp_avg_sqs, Tensor{}[] "
    "max_exp_avg_sqs, Tensor[] state_steps, *, {} lr, float beta1, float beta2, float weight_decay, float eps, bool "
    "amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None{}) -> {}"};
inline constexpr Schema kSgd{
    "aten::_fused_sgd{}(Tensor{}[] self, Tensor{}[] grads, Tensor{}[] momentum_buffer_list, *, float weight_decay, "
    "float momentum, {} lr, float dampening, bool nesterov, bool maximize, bool is_first_step, Tensor? "
    "grad_scale=None, Tensor? found_inf=None{}) -> {}"};
inline constexpr Schema kAdagrad{
    "aten::_fused_adagrad{}(Tensor{}[] self, Tensor{}[] grads, Tensor{}[] state_sums, Tensor{}[] state_steps, *, {} "
    "lr, float lr_decay, float weight_decay, float eps, bool maximize, Tensor? grad_scale=None, Tensor? "
    "found_inf=None{}) -> {}"};
inline constexpr Schemas kEach{kAdam, kSgd, kAdagrad};

}  // namespace ersatz::op_fused_optimizers
