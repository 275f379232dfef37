// Copies elements between tensors of any dtype, strides and device. It is the only kernel that the runtime itself
// needs.
//
// kernels/ installs the implementation when it registers its ops, because the runtime may not include kernels/.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz {

using CopyElements = void (*)(const Tensor& to, const Tensor& from);
void install_copy_elements(CopyElements f);
/// Sets to[i] = from[i], converted to the dtype of `to`. REQUIRES: both tensors have the same sizes, and their memory
/// is disjoint or identical. Raises NotSupported if no kernel is installed.
void copy_elements(const Tensor& to, const Tensor& from);

}  // namespace ersatz
