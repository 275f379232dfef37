// topk on CUDA. Returns the first elements of sorted rows, or selects elements and sorts them. Among equal elements,
// the first ones are returned.
#include "kernels/sorting/row_selection.h"
#include "kernels/sorting/topk.h"

namespace ersatz::op_topk {
namespace {

void run_cuda(KernelCall& call) {
  const Tensor self = plain_input(call.tensor(kTopk["self"]));
  const Tensor &values = call.outputs[0], &indices = call.outputs[1];
  if (values.numel().as_int() == 0) return;
  const int64_t dim = call.integer(kTopk["dim"]);
  // the result of a 0-d tensor is the tensor itself for every k
  const int64_t k = self.dim() == 0 ? 1 : call.integer(kTopk["k"]);
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
