#include "kernels/dense_operand.h"
#include "kernels/indexing/masked_scatter.h"
#include "kernels/indexing/masked_scatter_count.h"
#include "kernels/shape/broadcast.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_masked_scatter {

void run_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const int64_t n = out.numel().as_int();
  if (n == 0) return;
  // The copies are row-major, because elements of the source belong to true positions in row-major order.
  const Tensor target = make_real_tensor(TensorMeta(out.dtype(), out.sizes()));
  copy_elements(target, broadcast_view(call.tensor(kMaskedScatter["self"]), out.sizes()));
  const Tensor mask = make_real_tensor(TensorMeta(DType::Bool, out.sizes()));
  copy_elements(mask, broadcast_view(call.tensor(kMaskedScatter["mask"]), out.sizes()));
  const Tensor source = dense_input(call.tensor(kMaskedScatter["source"]));
  const bool* places = mask.data<bool>();
  const int64_t there = source.numel().as_int();
  int64_t wanted = 0;
  for (int64_t i = 0; i < n; ++i) wanted += places[i];
  require_enough(call, wanted, there);
  if (wanted > 0) {
    dispatch_item_size(item_size(out.dtype()), [&]<class Word>() {
      Word* to = reinterpret_cast<Word*>(target.raw_data());
      const Word* from = reinterpret_cast<const Word*>(source.raw_data());
      for (int64_t i = 0; i < n; ++i) {
        if (places[i]) to[i] = *from++;
      }
    });
  }
  copy_elements(out, target);
}

}  // namespace ersatz::op_masked_scatter
