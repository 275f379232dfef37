// One step of an optimizer on lists of tensors: Adam (Kingma and Ba 2015), AdamW (Loshchilov and Hutter 2019), SGD with
// momentum, Adagrad (Duchi et al. 2011).
//
// The in-place forms update parameters and state. The functional forms update copies of the lists of parameters and
// state, and return the copies. The `out=` forms write only the new parameters, to `out`. f16 and bf16 are computed in
// f32. If `grad_scale` is given, the gradients are divided by it, and the quotients are stored in the gradients. If
// `found_inf` is 1, nothing changes.
// REQUIRES: the caller increments `state_steps` for Adam and Adagrad. Constraints, where `op` is the op's name:
//
// [op.C1] all lists have one length, which is not 0. SGD without momentum has no buffers; Adam without amsgrad ignores
//         max_exp_avg_sqs.
// [op.C2] tensors at one index of the lists have one dtype and equal sizes.
// [op.C3] each step is a tensor with one element.
// [op.C4] grad_scale and found_inf are f32 tensors with one element.
// [op.C5] a learning rate that is a tensor has one element.
// All tensors have floating dtypes.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_fused_optimizers {

/// The schema pattern of `_fused_adam` and `_fused_adamw`.
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
