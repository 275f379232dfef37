// masked_fill on CUDA.
#include "kernels/indexing/device_index.h"
#include "kernels/indexing/masked_fill.h"
#include "kernels/indexing/tensor_number.h"
#include "kernels/pointwise/device_select.h"

namespace ersatz::op_masked_fill {
namespace {

using namespace device_index;

void run_cuda(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const Scalar value = given_number(call, kEach["value"]);
  const Tensor number = pointwise::number_in_bytes_of(out, value);
  const Tensor mask = moved_to(out.device(), call.tensor(kEach["mask"])), given = call.tensor(kEach["self"]);
  pointwise::select_words(out, mask, number, given.is(out) ? out : plain_input(given));
}

}  // namespace

void attach_cuda(Registry& registry) {
  for (const char* name :
       {"aten.masked_fill.Tensor", "aten.masked_fill_.Tensor", "aten.masked_fill.Scalar", "aten.masked_fill_.Scalar"}) {
    cuda_module::attach(registry, name, run_cuda);
  }
}

}  // namespace ersatz::op_masked_fill
