#include "kernels/indexing/nonzero.h"

#include "runtime/dispatch.h"

namespace ersatz::op_nonzero {

void run_cpu(KernelCall& call, Values& results);

namespace {

// Takes everything. It names no output: how many rows there are only the kernel can tell.
void rule(RuleCall&) {}

}  // namespace

void register_ops(Registry& r) {
  r.add("aten::nonzero(Tensor self) -> Tensor", __FILE__)
      .tag(Tag::DataDependent | Tag::Core)
      .with_rule(rule)
      .cpu_returns(run_cpu)
      .sample("f32[2,3]")
      .sample("bool[5]");
}

}  // namespace ersatz::op_nonzero

namespace ersatz::ops {

Tensor nonzero(const Tensor& self) { return call_op<"aten.nonzero.default">(self); }

}  // namespace ersatz::ops
