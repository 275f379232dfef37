#include "kernels/indexing/item.h"
#include "kernels/indexing/tensor_number.h"

namespace ersatz::op_item {

void run_cpu(KernelCall& call, Values& results) {
  results.push_back(first_number(call.tensor(kLocalScalarDense["self"])));
}

}  // namespace ersatz::op_item
