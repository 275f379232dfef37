// Copying elements between tensors of any dtype, strides and device: what the runtime itself needs of a kernel.
//
// The kernels room installs the implementation when the ops are registered.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz {

using CopyElements = void (*)(const Tensor& to, const Tensor& from);
void install_copy_elements(CopyElements f);
/// to[i] = from[i], converted; same sizes (REQUIRES), memory disjoint or identical. Raises NotSupported if no kernel is
/// installed.
void copy_elements(const Tensor& to, const Tensor& from);

}  // namespace ersatz
