#include "kernels/shape/tril.h"

#include "kernels/no_flops.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_tril {

Kernel tril_cpu, triu_cpu;

namespace {

void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kTril["self"]);
  call.require(self.dim() >= 2, "C1", "expects matrices: self is {}", self);
  TensorMeta& out = call.out.fresh();
  out.dtype = self.dtype;
  out.device = self.device;
  out.sizes = self.sizes;
  out.strides = contiguous_strides(self.sizes);
}

// ATen does not look for elements that share memory.
void inplace_rule(RuleCall& call) {
  call.require(call.meta(kTril["self"]).dim() >= 2, "C1", "expects matrices: self is {}", call.meta(kTril["self"]));
  call.out.same(call.tensor(kTril["self"]));
}

}  // namespace

void register_ops(Registry& r) {
  struct Side {
    const char* name;
    FillKernel kernel;
  };
  for (const Side& side : {Side{"tril", tril_cpu}, Side{"triu", triu_cpu}}) {
    OpEntry& op = r.add(kTril.with(side.name))
                      .with_rule(rule)
                      .count_flops(no_flops)
                      .cpu(side.kernel)
                      .sample("f32[3,4]")
                      .sample("i64[2,3,3], 1")
                      .sample("bool[3,4]{1,3}, -1")
                      .refuses("C1", "f32[3]");
    r.add_inplace(op, WrittenForm())
        .with_rule(inplace_rule)
        .cpu(side.kernel)
        .sample("f32[3,4]{1,3}, -1")
        .refuses("C1", "f32[3]");
    r.add_out(op, "out", WrittenForm());
  }
}

}  // namespace ersatz::op_tril
