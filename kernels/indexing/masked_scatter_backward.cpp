#include "kernels/indexing/masked_scatter_backward.h"

#include "kernels/creation/full.h"
#include "kernels/indexing/masked_select.h"
#include "kernels/pointwise/iterator_layout.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/kernel.h"
#include "runtime/op/registry.h"

namespace ersatz::op_masked_scatter_backward {
namespace {

void rule(RuleCall& call) {
  const TensorMeta &grad = call.meta(kMaskedScatterBackward["grad_output"]),
                   &mask = call.meta(kMaskedScatterBackward["mask"]);
  call.require(mask.dtype == DType::Bool, "C1", "expects a bool mask: mask is {}", mask);
  const TensorMeta* operands[] = {&grad, &mask};
  DimVec sizes;
  BroadcastMismatch mismatch;
  call.require(broadcast_sizes(operands, sizes, mismatch), "C2", "mask and grad_output must broadcast: {} and {}", mask,
               grad);
  for (const SymInt size : call.ints(kMaskedScatterBackward["sizes"]))
    call.require(check_le(SymInt(0), size), "C3", "sizes must not be negative: {}",
                 call.ints(kMaskedScatterBackward["sizes"]));
  call.out.fresh(TensorMeta(grad.dtype, call.ints(kMaskedScatterBackward["sizes"]), call.device));
}

void run(KernelCall& call) {
  const Tensor picked = ops::masked_select(call.tensor(kMaskedScatterBackward["grad_output"]),
                                           call.tensor(kMaskedScatterBackward["mask"]));
  const int64_t n = picked.numel().as_int(), most = call.outputs[0].numel().as_int();
  if (n > most)
    fail_on_value(call, ErrorFamily::Runtime, "{} elements are picked for a result of sizes {}", n,
                  call.outputs[0].sizes());
  const Tensor flat = ops::zeros(DimVec{SymInt(most)}, {.dtype = picked.dtype(), .device = picked.device()});
  ops::copy_(ops::slice(flat, 0, SymInt(0), SymInt(n)), picked);
  ops::copy_(call.outputs[0], ops::reshape(flat, call.outputs[0].sizes()));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kMaskedScatterBackward)
      .tag(Tag::FailsOnValues)
      .with_rule(rule)
      .every_device(run)
      .sample("f32[2,3], bool[3], [3,3]", 0, 1)
      .refuses("C1", "f32[2], u8[2], [2]")
      .refuses("C2", "f32[2], bool[3], [3]")
      .refuses("C3", "f32[2], bool[2], [-2]");
}

}  // namespace ersatz::op_masked_scatter_backward
