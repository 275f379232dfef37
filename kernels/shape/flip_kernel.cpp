#include "kernels/shape/copy_flipped.h"
#include "kernels/shape/flip.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_flip {

void run(KernelCall& call) {
  const Tensor self = call.tensor(kFlip["self"]);
  DimSet dims;
  for (int64_t d : call.ints(kFlip["dims"])) dims.insert(d < 0 ? d + std::max<int64_t>(self.dim(), 1) : d);
  copy_flipped(call.outputs[0], self, dims);
}

}  // namespace ersatz::op_flip
