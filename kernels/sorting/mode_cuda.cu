// mode on CUDA: returns the last element of the first longest run in each sorted row. Each NaN is a run of its own.
#include "kernels/sorting/mode.h"
#include "kernels/sorting/sorted_rows.h"

namespace ersatz::op_mode {
namespace {

struct Run {
  int64_t length, begin;
};
/// Returns the longer run. If both are equally long, returns the first.
struct Longer {
  ERSATZ_DEVICE Run operator()(Run a, Run b) const {
    return b.length > a.length || (b.length == a.length && b.begin < a.begin) ? b : a;
  }
};

/// Kernel that sets chosen[r] to the index of the mode of row r. One block computes one row.
struct ChooseMode {
  int64_t* chosen;
  const int64_t* order;
  const uint64_t* keys;
  int64_t n;
  uint64_t nan;  // the key of NaN, used only for float dtypes
  bool floats;
  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    const uint64_t* row = keys + block.index() * n;
    Run longest{0, n};
    for (int64_t i = block.thread(); i < n; i += block.threads()) {
      const uint64_t key = row[i];
      const bool alone = floats && key == nan;
      if (!alone && i > 0 && row[i - 1] == key) continue;  // not the first element of a run
      int64_t low = i + 1, high = alone ? i + 1 : n;       // the loop finds the end of the run
      while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const bool same = row[middle] == key;
        (same ? low : high) = same ? middle + 1 : middle;
      }
      longest = Longer()(longest, Run{low - i, i});
    }
    longest = block.reduce(longest, Longer());
    if (block.thread() == 0) chosen[block.index()] = order[block.index() * n + longest.begin + longest.length - 1];
  }
};

void run_cuda(KernelCall& call) {
  const Tensor self = plain_input(call.tensor(kMode["self"]));
  const Tensor &values = call.outputs[0], &indices = call.outputs[1];
  if (values.numel().as_int() == 0) return;
  const int device = self.device().index;
  const int64_t dim = call.integer(kMode["dim"]);
  const device_sort::SortedRows sorted(self, dim, false, true);
  const device_sort::RowShape& shape = sorted.shape();
  const cuda_module::DeviceScratch chosen(device, shape.rows * 8);
  const int64_t bits = 8 * item_size(self.dtype());
  const uint64_t nan = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  cuda_module::launch_blocks(
      device, shape.rows, cuda_module::threads_for_row(shape.n), 0,
      ChooseMode{chosen.as<int64_t>(), sorted.order(), sorted.keys(), shape.n, nan, is_float(self.dtype())});
  device_sort::write_chosen(self, shape, dim, chosen.as<int64_t>(), 1, 1, values, indices);
}

}  // namespace

void attach_cuda(Registry& registry) { cuda_module::attach(registry, "aten.mode.default", run_cuda); }

}  // namespace ersatz::op_mode
