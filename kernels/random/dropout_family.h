// Dropout of whole channels, dropout that keeps mean and variance (alpha dropout), both at once, and the gradient of
// `native_dropout`.
//
// The forms of `op` give the input itself where nothing is dropped: out of training, for p = 0, and of nothing.
// [op.C1] p lies in [0, 1].
// [op.C2] `feature_...`: the input has a batch and channels.
//
// Source: Klambauer et al., "Self-Normalizing Neural Networks" (2017), for the constants of alpha dropout.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_dropout_family {

inline constexpr Schema kEach{"aten::{}(Tensor input, float p, bool train) -> Tensor"};
inline constexpr Schema kEachInplace{"aten::{}_(Tensor(a!) self, float p, bool train) -> Tensor(a!)"};
inline constexpr Schema kNativeBackward{
    "aten::native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor"};

}  // namespace ersatz::op_dropout_family
