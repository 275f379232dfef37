// The parts of ersatz.Tensor and of the module that concern autograd.
#pragma once

#include "python/module/module.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::python {

/// Adds the attributes and methods of a tensor: requires_grad, grad_fn, backward and others.
void bind_gradients(nb::class_<Tensor>& type);

}  // namespace ersatz::python
