#include "kernels/indexing/tensor_number.h"

namespace ersatz::op_item {

void run_cpu(KernelCall& call, Values& results) { results.push_back(first_number(call.tensor(0))); }

}  // namespace ersatz::op_item
