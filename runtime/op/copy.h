// Copies elements between tensors of any dtype, strides and device. The runtime needs no other kernel itself.
//
// kernels/ installs the implementation when it registers the ops.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz {

using CopyElements = void (*)(const Tensor& to, const Tensor& from);
void install_copy_elements(CopyElements f);
/// to[i] = from[i], converted; same sizes (REQUIRES), memory disjoint or identical. Raises NotSupported if no kernel is
/// installed.
void copy_elements(const Tensor& to, const Tensor& from);

}  // namespace ersatz
