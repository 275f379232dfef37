#include "kernels/shape/fill_elements.h"
#include "runtime/kernel.h"

namespace ersatz::op_full {

void zeros_cpu(KernelCall& call) { fill_elements(call.outputs[0], 0); }
void ones_cpu(KernelCall& call) { fill_elements(call.outputs[0], 1); }
void full_cpu(KernelCall& call) { fill_elements(call.outputs[0], call.scalar(1)); }
void new_full_cpu(KernelCall& call) { fill_elements(call.outputs[0], call.scalar(2)); }
void scalar_cpu(KernelCall& call) { fill_elements(call.outputs[0], call.scalar(0)); }

}  // namespace ersatz::op_full
