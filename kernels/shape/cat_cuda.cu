// cat on CUDA.
#include "kernels/shape/device_join.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_cat {

void run(KernelCall& call);  // cat.cpp: any tensors, a copy for each

namespace {

void run_cuda(KernelCall& call) { device_join::join_tensors(call, false, run); }

}  // namespace

void attach_cuda(Registry& registry) { cuda_module::attach(registry, "aten.cat.default", run_cuda); }

}  // namespace ersatz::op_cat
