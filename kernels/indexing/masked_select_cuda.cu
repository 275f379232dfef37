// masked_select on CUDA.
#include "kernels/indexing/device_places.h"
#include "kernels/indexing/device_positions.h"
#include "kernels/indexing/found_output.h"
#include "kernels/indexing/masked_select.h"
#include "kernels/pointwise/iterator_layout.h"

namespace ersatz::op_masked_select {
namespace {

using namespace device_index;

Tensor select(const Tensor& self, const Tensor& mask) {
  const TensorMeta* operands[] = {&self.meta(), &mask.meta()};
  DimVec sizes;
  BroadcastMismatch unused;
  broadcast_sizes(operands, sizes, unused);
  const Tensor positions = flat_positions(mask, sizes);
  const Tensor out = make_real_tensor(TensorMeta(self.dtype(), positions.sizes(), self.device()));
  const int64_t n = positions.numel().as_int();
  if (n == 0) return out;
  Places p;
  p.other = out, p.index = known_index(positions), p.target = dense_input(broadcast_view(self, sizes));
  p.sizes = Strides{n};
  p.of_other = p.of_index = Strides{1};
  p.of_target = Strides{0};
  pick(p);
  return out;
}

void run_cuda(KernelCall& call, Values& results) {
  results.push_back(select(call.tensor(kMaskedSelect["self"]), call.tensor(kMaskedSelect["mask"])));
}

void out_cuda(KernelCall& call, Values& results) {
  const Tensor out = call.tensor(kMaskedSelectOut["out"]),
               found = select(call.tensor(kMaskedSelectOut["self"]), call.tensor(kMaskedSelectOut["mask"]));
  put_found(call, out, found, results);
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach_returns(registry, "aten.masked_select.default", run_cuda);
  cuda_module::attach_returns(registry, "aten.masked_select.out", out_cuda);
}

}  // namespace ersatz::op_masked_select
