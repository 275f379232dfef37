// Gradients of drawn numbers by the parameters of their distribution: how a number of the gamma or the Dirichlet
// distribution moves with its parameter while its quantile stays, -(dF/dparameter) / (dF/dx) of its distribution
// function F (Figurnov, Mohamed and Mnih, "Implicit reparameterization gradients", 2018).
//
// The operands have one dtype, f32 or f64 on the CPU, and broadcast; the result is row-major where it has the sizes
// of the first, else with the strides of elementwise results. Constraints, where `op` is the op's name:
//
// [op.C1]  the operands have one dtype.
// [op.C2]  their sizes broadcast.
//
// 0 of numbers that are not positive, NaN where there is no such distribution. Values are within 1e-6 of the true ones,
// of beta numbers whose parameters are both beyond 1e7 within 1e-4; PyTorch's approximations are within about 1e-3 of
// them.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/random/draw_gradients.h"

namespace ersatz::op_draw_gradients {

/// Of a gamma number `output` by its shape, `self`.
inline constexpr TypedSchema kGammaGrad{"aten::_standard_gamma_grad(Tensor self, Tensor output) -> Tensor"};
/// Of one number `x` of Dirichlet's distribution, a beta number of parameters `alpha` and `total - alpha`, by alpha
/// while the other parameter stays; divided by 1 - x.
inline constexpr TypedSchema kDirichletGrad{"aten::_dirichlet_grad(Tensor x, Tensor alpha, Tensor total) -> Tensor"};

}  // namespace ersatz::op_draw_gradients
