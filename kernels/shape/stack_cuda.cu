// stack on CUDA.
#include "kernels/shape/device_join.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_stack {

void run(KernelCall& call);  // in stack.cpp: makes one copy for each tensor, of any layout

namespace {

void run_cuda(KernelCall& call) { device_join::join_tensors(call, true, run); }

}  // namespace

void attach_cuda(Registry& registry) { cuda_module::attach(registry, "aten.stack.default", run_cuda); }

}  // namespace ersatz::op_stack
