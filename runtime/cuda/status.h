// CUDA failures inside the module, as our own errors: the call's text, the device, CUDA's words.
#pragma once

#include <cuda_runtime_api.h>

#include "runtime/error.h"

namespace ersatz::cuda_module {

inline void check(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  int device = -1;
  cudaGetDevice(&device);
  raise_internal_error(file, line, call, "cuda:{}: {}", device, cudaGetErrorString(status));
}

}  // namespace ersatz::cuda_module

#define ERSATZ_CHECK_CUDA(call) ::ersatz::cuda_module::check((call), #call, __FILE__, __LINE__)
