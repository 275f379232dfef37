// sort on CUDA, which is always stable.
#include "kernels/sorting/sort.h"
#include "kernels/sorting/sorted_rows.h"

namespace ersatz::op_sort {
namespace {

void run_cuda(KernelCall& call) {
  const Tensor self = plain_input(call.tensor(kEach["self"]));
  const Tensor &values = call.outputs[0], &indices = call.outputs[1];
  if (values.numel().as_int() == 0) return;
  const bool choosing = call.args.size() == kSortStable.count();
  const int64_t dim = call.integer(choosing ? kSortStable["dim"] : kSort["dim"]);
  const device_sort::SortedRows sorted(self, dim,
                                       call.boolean(choosing ? kSortStable["descending"] : kSort["descending"]));
  const int64_t n = sorted.shape().n;
  device_sort::write_chosen(self, sorted.shape(), dim, sorted.order(), n, n, values, indices);
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.sort.default", run_cuda);
  cuda_module::attach(registry, "aten.sort.stable", run_cuda);
}

}  // namespace ersatz::op_sort
