// Registers an op's CUDA kernel. The attach_cuda function in each *_cuda.cu file calls these functions.
#pragma once

#include "runtime/op/registry.h"

namespace ersatz::cuda_module {

/// Registers an op's CUDA kernel. Raises InternalError if the library does not have the op. Also raises it unless
/// `file` is kernels/F/X_cuda.cu, where kernels/F/X.cpp registers the op: tables of kernels look for them in the folder
/// of the op's rule.
void attach(Registry& registry, std::string_view name, FillKernel kernel, std::string_view file = __builtin_FILE());
/// Registers a kernel that allocates its results itself.
void attach_returns(Registry& registry, std::string_view name, ReturnKernel kernel,
                    std::string_view file = __builtin_FILE());

}  // namespace ersatz::cuda_module
