// Giving an op its CUDA kernel: what the attach_cuda functions of *_cuda.cu files are made of.
#pragma once

#include "runtime/op/registry.h"

namespace ersatz::cuda_module {

/// InternalError where the library has no such op, or `file`, for tables, is not kernels/F/X_cuda.cu of an op that
/// kernels/F/X.cpp registers: an op's kernels stand beside its rule.
void attach(Registry& registry, std::string_view name, FillKernel kernel, std::string_view file = __builtin_FILE());
/// For kernels that make their own results.
void attach_returns(Registry& registry, std::string_view name, ReturnKernel kernel,
                    std::string_view file = __builtin_FILE());

}  // namespace ersatz::cuda_module
