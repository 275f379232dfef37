// kthvalue on CUDA: returns element k of each sorted row. Equal elements are sorted by position.
#include "kernels/sorting/kthvalue.h"
#include "kernels/sorting/row_selection.h"

namespace ersatz::op_kthvalue {
namespace {

void run_cuda(KernelCall& call) {
  const Tensor self = plain_input(call.tensor(kKthvalue["self"]));
  const Tensor &values = call.outputs[0], &indices = call.outputs[1];
  if (values.numel().as_int() == 0) return;
  if (self.dim() == 0) {  // every dtype is accepted, because nothing is compared
    copy_elements(values, self);
    return device_index::fill_with(indices, int64_t(0));
  }
  const int64_t dim = call.integer(kKthvalue["dim"]), k = call.integer(kKthvalue["k"]);
  const device_sort::RowShape shape(self, dim);
  if (device_sort::selects(shape, 1)) {
    const device_sort::SelectedRows selected(self, shape, false, {.rank = k - 1});
    return device_sort::write_chosen(self, shape, dim, selected.found(), 1, 1, values, indices);
  }
  const device_sort::SortedRows sorted(self, dim, false);
  device_sort::write_chosen(self, sorted.shape(), dim, sorted.order() + (k - 1), 1, sorted.shape().n, values, indices);
}

}  // namespace

void attach_cuda(Registry& registry) { cuda_module::attach(registry, "aten.kthvalue.default", run_cuda); }

}  // namespace ersatz::op_kthvalue
