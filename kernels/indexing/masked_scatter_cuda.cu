// masked_scatter on CUDA.
#include "kernels/indexing/device_positions.h"
#include "kernels/indexing/masked_scatter.h"
#include "kernels/indexing/masked_scatter_count.h"

namespace ersatz::op_masked_scatter {
namespace {

using namespace device_index;

template <class Word>
struct PutAt {
  Word* to;
  const int64_t* positions;
  const Word* from;
  ERSATZ_DEVICE void operator()(int64_t i) const { to[positions[i]] = from[i]; }
};

void run_cuda(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const Tensor positions = flat_positions(call.tensor(kMaskedScatter["mask"]), out.sizes());
  const Tensor source = dense_input(call.tensor(kMaskedScatter["source"]));
  const int64_t wanted = positions.numel().as_int();
  require_enough(call, wanted, source.numel().as_int());
  const Tensor self = call.tensor(kMaskedScatter["self"]);
  // If self is `out` and is row-major without lazy bits, the kernel writes only the selected elements.
  const bool direct =
      self.is(out) && is_contiguous(out.meta()) && !out.meta().conj && !out.meta().neg && !source.shares_storage(out);
  const Tensor target = direct ? out : make_real_tensor(TensorMeta(out.dtype(), out.sizes(), out.device()));
  if (!direct) copy_elements(target, broadcast_view(self, out.sizes()));
  if (wanted > 0) {
    dispatch_item_size(item_size(out.dtype()), [&]<class Word>() {
      cuda_module::launch_each(out.device().index, wanted,
                               PutAt<Word>{reinterpret_cast<Word*>(target.raw_data()),
                                           reinterpret_cast<const int64_t*>(positions.raw_data()),
                                           reinterpret_cast<const Word*>(source.raw_data())});
    });
  }
  if (!direct) copy_elements(out, target);
}

}  // namespace

void attach_cuda(Registry& registry) {
  for (const char* name : {"aten.masked_scatter.default", "aten.masked_scatter_.default"}) {
    cuda_module::attach(registry, name, run_cuda);
  }
}

}  // namespace ersatz::op_masked_scatter
