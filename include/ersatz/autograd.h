// Gradients of real and fake tensors.
//
//   Tensor w = tensor_of<float>({1, 2, 3, 4}, {2, 2});
//   set_requires_grad(w);
//   Tensor loss = ops::sum(ops::mul(w, w));      // <ersatz/ops.h>
//   backward(loss);
//   grad(w);                                     // 2 * w
//
// Gradients of fakes are fakes, with the sizes, strides and device that a real run gives them.
#pragma once

#include "ersatz/tensor.h"
#include "runtime/autograd/autograd_meta.h"
#include "runtime/autograd/backward.h"
#include "runtime/autograd/function.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/autograd/hooks.h"
#include "runtime/autograd/saved_tensor_hooks.h"
