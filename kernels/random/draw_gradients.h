// Gradients of gamma and Dirichlet random numbers with respect to the parameter of the distribution. The gradient is
// the change of a number at a fixed quantile: -(dF/dparameter) / (dF/dx), with the distribution function F. Source:
// Figurnov, Mohamed and Mnih, "Implicit reparameterization gradients" (2018).
//
// The operands have one dtype (f32 or f64 on the CPU) and broadcast. The result is row-major if it has the sizes of the
// first operand; otherwise it has the strides of an elementwise result. Constraints. In labels, `op` is the op's name:
//
// [op.C1]  the operands have one dtype.
// [op.C2]  the sizes of the operands broadcast.
//
// The gradient is 0 for numbers that are not positive, and NaN for invalid parameters. Its error is below 1e-6, or 1e-4
// for beta numbers with both parameters above 1e7. The results of PyTorch's approximations differ from these results by
// up to about 1e-3.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/random/draw_gradients.h"

namespace ersatz::op_draw_gradients {

/// Returns the gradient of a gamma number `output` with respect to its shape parameter `self`.
inline constexpr TypedSchema kGammaGrad{"aten::_standard_gamma_grad(Tensor self, Tensor output) -> Tensor"};
/// Returns the gradient of one number `x` of a Dirichlet distribution with respect to `alpha`, divided by 1 - x. x is a
/// beta number with parameters `alpha` and `total - alpha`, and the second parameter is kept constant.
inline constexpr TypedSchema kDirichletGrad{"aten::_dirichlet_grad(Tensor x, Tensor alpha, Tensor total) -> Tensor"};

}  // namespace ersatz::op_draw_gradients
