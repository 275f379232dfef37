#include "kernels/shape/clone.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_clone {

// Also the CUDA kernel: copy_elements goes by the tensors' devices.
void run(KernelCall& call) { copy_elements(call.outputs[0], call.tensor(kCopied["{}"])); }

}  // namespace ersatz::op_clone
