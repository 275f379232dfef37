// Registers an op's CUDA kernel. The attach_cuda functions of *_cuda.cu files call these functions.
#pragma once

#include "runtime/op/registry.h"

namespace ersatz::cuda_module {

/// InternalError if the library does not have the op. InternalError if `file` (for tables) is not kernels/F/X_cuda.cu
/// of an op that kernels/F/X.cpp registers: an op's kernels are in its rule's folder.
void attach(Registry& registry, std::string_view name, FillKernel kernel, std::string_view file = __builtin_FILE());
/// For kernels that make their own results.
void attach_returns(Registry& registry, std::string_view name, ReturnKernel kernel,
                    std::string_view file = __builtin_FILE());

}  // namespace ersatz::cuda_module
