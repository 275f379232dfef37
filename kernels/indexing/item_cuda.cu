// item on CUDA: copies the element to the host.
#include "kernels/indexing/item.h"
#include "kernels/indexing/tensor_number.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_item {
namespace {

void run_cuda(KernelCall& call, Values& results) {
  results.push_back(first_number(call.tensor(kLocalScalarDense["self"])));
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach_returns(registry, "aten._local_scalar_dense.default", run_cuda);
}

}  // namespace ersatz::op_item
