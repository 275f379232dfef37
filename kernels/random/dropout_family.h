// Dropout of whole channels (`feature_dropout`), `alpha_dropout` (which keeps mean and variance),
// `feature_alpha_dropout`, and the gradient of `native_dropout`.
//
// An op that is not in place returns the input itself if nothing is dropped: outside of training, for p = 0, and for an
// empty input. Constraints. In labels, `op` is the op's name:
// [op.C1] p is in [0, 1].
// [op.C2] for `feature_...`, the input has at least two dims: batch and channels.
//
// Source of alpha dropout's constants: Klambauer et al., "Self-Normalizing Neural Networks" (2017).
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_dropout_family {

inline constexpr Schema kEach{"aten::{}(Tensor input, float p, bool train) -> Tensor"};
inline constexpr Schema kEachInplace{"aten::{}_(Tensor(a!) self, float p, bool train) -> Tensor(a!)"};
inline constexpr Schema kNativeBackward{
    "aten::native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor"};

}  // namespace ersatz::op_dropout_family
