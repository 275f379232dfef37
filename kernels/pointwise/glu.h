// glu, gated linear units: the first half of a dim times the sigmoid of the second half.
//
// [glu.C1] [glu_backward.C1] the input is not 0-d.
// [glu.C2] [glu_backward.C2] the size of the dim is even.
// [glu_backward.C3] the gradient has the input's dtype.
// [glu_backward.C4] the gradient broadcasts to the sizes of glu's result, in which the dim is halved.
//
// glu_backward returns a row-major tensor. Source: Dauphin et al., "Language Modeling with Gated Convolutional
// Networks" (2017).
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/typed_schema.h"
#include "typed/pointwise/glu.h"

namespace ersatz::op_glu {

inline constexpr TypedSchema kGlu{"aten::glu(Tensor self, int dim=-1) -> Tensor"};
inline constexpr TypedSchema kGluBackward{"aten::glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor"};

/// Forward-mode derivatives of glu and glu_backward for the tangents `dx` and `dgrad_glu`. In dim `dim`, x and dx are
/// cut into two halves, each with the size of `glu`.
/// [glu_jvp.C1] all tensors have one dtype.
/// [glu_jvp.C2] in `dim`, the halves of x and dx have the size of glu. In the other dims all sizes broadcast.
inline constexpr TypedSchema kGluJvp{"aten::glu_jvp(Tensor glu, Tensor x, Tensor dx, int dim) -> Tensor"};
inline constexpr TypedSchema kGluBackwardJvp{
    "aten::glu_backward_jvp(Tensor grad_x, Tensor grad_glu, Tensor x, Tensor dgrad_glu, Tensor dx, int dim) -> Tensor"};

}  // namespace ersatz::op_glu
