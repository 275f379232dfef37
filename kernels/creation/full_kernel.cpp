#include "kernels/shape/fill_elements.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_full {

void run_zeros(KernelCall& call) { fill_elements(call.outputs[0], 0); }
void run_ones(KernelCall& call) { fill_elements(call.outputs[0], 1); }
void run_full(KernelCall& call) { fill_elements(call.outputs[0], call.scalar(1)); }
void run_new_full(KernelCall& call) { fill_elements(call.outputs[0], call.scalar(2)); }
void run_scalar(KernelCall& call) { fill_elements(call.outputs[0], call.scalar(0)); }

}  // namespace ersatz::op_full
