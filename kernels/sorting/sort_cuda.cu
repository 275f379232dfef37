// sort on CUDA: always a stable one.
#include "kernels/sorting/sorted_rows.h"

namespace ersatz::op_sort {
namespace {

void run_cuda(KernelCall& call) {
  const Tensor self = device_index::plain(call.tensor(0));
  const Tensor &values = call.outputs[0], &indices = call.outputs[1];
  if (values.numel().as_int() == 0) return;
  const size_t last = call.args.size() - 1;
  const int64_t dim = call.integer(last - 1);
  const device_sort::SortedRows sorted(self, dim, call.boolean(last));
  const int64_t n = sorted.shape().n;
  device_sort::write_chosen(self, sorted.shape(), dim, sorted.order(), n, n, values, indices);
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.sort.default", run_cuda);
  cuda_module::attach(registry, "aten.sort.stable", run_cuda);
}

}  // namespace ersatz::op_sort
