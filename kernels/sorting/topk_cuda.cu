// topk on CUDA: the first elements of the sorted rows, or selected elements that are then sorted. Among equal elements
// the first ones are selected.
#include "kernels/sorting/row_selection.h"
#include "kernels/sorting/topk.h"

namespace ersatz::op_topk {
namespace {

void run_cuda(KernelCall& call) {
  const Tensor self = plain_input(call.tensor(kTopk["self"]));
  const Tensor &values = call.outputs[0], &indices = call.outputs[1];
  if (values.numel().as_int() == 0) return;
  const int64_t dim = call.integer(kTopk["dim"]);
  const int64_t k = self.dim() == 0 ? 1 : call.integer(kTopk["k"]);  // a 0-d tensor is its own result for every k
  const device_sort::RowShape shape(self, dim);
  if (device_sort::selects(shape, k)) {
    const device_sort::SelectedRows selected(self, shape, call.boolean(kTopk["largest"]), {}, k);
    return device_sort::write_chosen(self, shape, dim, selected.found(), k, k, values, indices);
  }
  const device_sort::SortedRows sorted(self, dim, call.boolean(kTopk["largest"]));
  device_sort::write_chosen(self, sorted.shape(), dim, sorted.order(), k, sorted.shape().n, values, indices);
}

}  // namespace

void attach_cuda(Registry& registry) { cuda_module::attach(registry, "aten.topk.default", run_cuda); }

}  // namespace ersatz::op_topk
