// Giving an op its CUDA kernel: what the attach_cuda functions of *_cuda.cu files are made of.
#pragma once

#include "runtime/op/registry.h"

namespace ersatz::cuda_module {

/// InternalError where the library has no such op.
void attach(Registry& registry, std::string_view name, FillKernel kernel);
/// For kernels that make their own results.
void attach_returns(Registry& registry, std::string_view name, ReturnKernel kernel);

}  // namespace ersatz::cuda_module
