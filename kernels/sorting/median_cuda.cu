// median and nanmedian on CUDA. Finds the middle element of each row by sorting the rows, or by selection.
#include "kernels/sorting/median.h"
#include "kernels/sorting/row_selection.h"

namespace ersatz::op_median {
namespace {

using device_sort::SortedRows;

/// Kernel that sets chosen[r] to the index of the median of row r. NaNs are sorted last and have a key of their own.
struct ChooseMiddle {
  int64_t* chosen;
  const int64_t* order;
  const uint64_t* keys;
  int64_t n;
  uint64_t nan;  // the key of NaN; 0 if the dtype has no NaN
  bool pass_nan;
  ERSATZ_DEVICE void operator()(int64_t row) const {
    const int64_t first = row * n;
    int64_t numbers = n;
    if (nan != 0) {
      int64_t low = 0, high = n;
      while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const bool is_nan = keys[first + middle] == nan;
        (is_nan ? high : low) = is_nan ? middle : middle + 1;
      }
      numbers = low;
    }
    chosen[row] = order[first + device_sort::median_rank(n, n - numbers, pass_nan)];
  }
};

void find(const Tensor& self, int64_t dim, bool pass_nan, const Tensor& values, const Tensor& indices) {
  const int device = self.device().index;
  const int64_t bits = 8 * item_size(self.dtype());
  const uint64_t nan = !is_float(self.dtype()) ? 0 : bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  const device_sort::RowShape shape(self, dim);
  if (device_sort::selects(shape, 1)) {
    const device_sort::SelectedRows selected(self, shape, false, {.median = true, .pass_nan = pass_nan, .nan = nan});
    return device_sort::write_chosen(self, shape, dim, selected.found(), 1, 1, values, indices);
  }
  const SortedRows sorted(self, dim, false, true);
  const cuda_module::DeviceScratch chosen(device, shape.rows * 8);
  cuda_module::launch_each(device, shape.rows,
                           ChooseMiddle{chosen.as<int64_t>(), sorted.order(), sorted.keys(), shape.n, nan, pass_nan});
  device_sort::write_chosen(self, shape, dim, chosen.as<int64_t>(), 1, 1, values, indices);
}

void along_dim(KernelCall& call, bool pass_nan) {
  if (call.outputs[0].numel().as_int() == 0) return;
  find(plain_input(call.tensor(kMedianDim["self"])), call.integer(kMedianDim["dim"]), pass_nan, call.outputs[0],
       call.outputs[1]);
}

void whole(KernelCall& call, bool pass_nan) {
  const Tensor self = dense_input(call.tensor(kMedian["self"])), &out = call.outputs[0];
  const SymInt n = self.numel();
  if (n.as_int() == 0) {
    return copy_elements(out,
                         device_index::number_on(out.device(), DType::F32, std::numeric_limits<double>::quiet_NaN()));
  }
  TensorMeta row(self.dtype(), std::span<const SymInt>(&n, 1), self.device());
  row.offset = self.meta().offset;
  const Tensor index = make_real_tensor(TensorMeta(DType::I64, std::span<const SymInt>(), self.device()));
  find(make_view(self, std::move(row)), 0, pass_nan, out, index);
}

void median_cuda(KernelCall& call) { whole(call, false); }
void nanmedian_cuda(KernelCall& call) { whole(call, true); }
void median_dim_cuda(KernelCall& call) { along_dim(call, false); }
void nanmedian_dim_cuda(KernelCall& call) { along_dim(call, true); }

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.median.default", median_cuda);
  cuda_module::attach(registry, "aten.nanmedian.default", nanmedian_cuda);
  cuda_module::attach(registry, "aten.median.dim", median_dim_cuda);
  cuda_module::attach(registry, "aten.nanmedian.dim", nanmedian_dim_cuda);
}

}  // namespace ersatz::op_median
