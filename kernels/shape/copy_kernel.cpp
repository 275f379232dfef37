#include "kernels/shape/broadcast.h"
#include "kernels/shape/copy.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_copy {

// Both serve CUDA too: copy_elements goes by the tensors' devices.

void run_copy(KernelCall& call) {
  const Tensor self = call.tensor(kCopyInplace["self"]);
  Tensor src = call.tensor(kCopyInplace["src"]);
  if (self.is(src)) return;
  if (self.shares_storage(src) && shared_memory(src.meta(), self.meta(), true) == SharedMemory::TooHard) {
    // Gaps or broadcast dims: the two may meet. What is read must be what stood there before.
    TensorMeta dense(src.dtype(), src.sizes(), src.device());
    Tensor saved = make_real_tensor(std::move(dense));
    copy_elements(saved, src);
    src = std::move(saved);
  }
  copy_elements(self, broadcast_view(src, self.sizes()));
}

void run_to_copy(KernelCall& call) { copy_elements(call.outputs[0], call.tensor(kToCopy["self"])); }

}  // namespace ersatz::op_copy
