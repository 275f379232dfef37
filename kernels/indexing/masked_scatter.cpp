#include "kernels/indexing/masked_scatter.h"

#include "kernels/no_flops.h"
#include "kernels/pointwise/iterator_layout.h"
#include "kernels/shape/broadcast.h"
#include "kernels/written_elements.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_masked_scatter {

Kernel run_cpu;

namespace {

void require_dtypes(const RuleCall& call) {
  const TensorMeta &self = call.meta(kMaskedScatter["self"]), &mask = call.meta(kMaskedScatter["mask"]),
                   &source = call.meta(kMaskedScatter["source"]);
  call.require(self.dtype == source.dtype, "C3", "source must have the dtype of self: {} and {}", source, self);
  call.require(mask.dtype == DType::Bool, "C1", "expects a bool mask: mask is {}", mask);
}

void rule(RuleCall& call) {
  const TensorMeta &self = call.meta(kMaskedScatter["self"]), &mask = call.meta(kMaskedScatter["mask"]);
  const TensorMeta* operands[] = {&mask, &self};
  TensorMeta out(self.dtype, {}, call.device);
  BroadcastMismatch mismatch;
  call.require(broadcast_sizes(operands, out.sizes, mismatch), "C2", "mask and self must broadcast: {} and {}", mask,
               self);
  require_dtypes(call);
  out.strides = contiguous_strides(out.sizes);
  call.out.fresh(std::move(out));
}

void inplace_rule(RuleCall& call) {
  TensorImpl* self = call.tensor(kMaskedScatter["self"]);
  call.require(broadcasts_to(call.meta(kMaskedScatter["mask"]).sizes, self->meta.sizes), "C2",
               "mask must broadcast to self: {} and {}", call.meta(kMaskedScatter["mask"]), self->meta);
  require_dtypes(call);
  require_own_elements(call, "C4", kMaskedScatter["self"]);
  for (Position i : {kMaskedScatter["mask"], kMaskedScatter["source"]}) {
    const TensorImpl* t = call.tensor(i);
    if (t == self || t->storage != self->storage) continue;
    call.require(shared_memory(t->meta, self->meta, true) != SharedMemory::Partial, "C4",
                 "self shares memory with what is read, clone it first: {} and {}", t->meta, self->meta);
  }
  call.out.same(self);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kMaskedScatter)
                    .tag(Tag::Core | Tag::FailsOnValues)
                    .with_rule(rule)
                    .count_flops(no_flops)
                    .cpu(run_cpu)
                    .sample("f32[2,3]{1,2}, bool[3], f32[6]", 0, 1)
                    .sample("f32[3], bool[2,3], f32[2,3]", 0, 1)
                    .refuses("C1", "f32[2], u8[2], f32[2]")
                    .refuses("C2", "f32[2], bool[3], f32[2]")
                    .refuses("C3", "f32[2], bool[2], f64[2]");
  r.add_inplace(op, WrittenForm())
      .with_rule(inplace_rule)
      .cpu(run_cpu)
      .sample("f32[2,3], bool[3], f32[6]", 0, 1)
      .refuses("C2", "f32[2], bool[2,2], f32[2]")
      .refuses("C4", "f32[2,3]{0,1}, bool[2,3], f32[6]");
  r.add_out(op, "out", kGeneratedForm);
}

}  // namespace ersatz::op_masked_scatter
