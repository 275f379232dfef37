// Registers an op's CUDA kernel. The attach_cuda function in each *_cuda.cu file calls these functions.
#pragma once

#include "runtime/op/registry.h"

namespace ersatz::cuda_module {

/// Raises InternalError if the library does not have the op. `file` must be kernels/F/X_cuda.cu if kernels/F/X.cpp
/// registers the op, else InternalError is raised: an op's kernels are in the folder of its rule, where tables look for
/// them.
void attach(Registry& registry, std::string_view name, FillKernel kernel, std::string_view file = __builtin_FILE());
/// Registers a kernel that allocates its results itself.
void attach_returns(Registry& registry, std::string_view name, ReturnKernel kernel,
                    std::string_view file = __builtin_FILE());

}  // namespace ersatz::cuda_module
