#include "kernels/indexing/item.h"

#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_item {

void run_cpu(KernelCall& call, Values& results);

namespace {

void rule(RuleCall& call) {
  const SymInt n = call.meta(0).numel();
  call.require(guard_ne(n, 0), "C1", "expects an element: self is {}", call.meta(0));
}

void item(CompositeCall& call) {
  call.require(guard_eq(call.meta(0).numel(), 1), "C1", "expects one element: self is {}", call.meta(0));
  call.returns(call_op_all<"aten._local_scalar_dense.default">(call.args[0])[0]);
}

}  // namespace

void register_ops(Registry& r) {
  r.add("aten::_local_scalar_dense(Tensor self) -> Scalar", __FILE__)
      .tag(Tag::ScalarRead | Tag::Core)
      .with_rule(rule)
      .cpu_returns(run_cpu)
      .sample("f32[]")
      .sample("i64[1]")
      .refuses("C1", "f32[0]");
  r.add("aten::item(Tensor self) -> Scalar", __FILE__)
      .tag(Tag::ScalarRead)
      .with_composite(item)
      .sample("f32[]")
      .refuses("C1", "f32[2]");
}

}  // namespace ersatz::op_item

namespace ersatz::ops {

Scalar item(const Tensor& self) {
  const Values results = call_op_all<"aten.item.default">(self);
  return results[0].as_scalar();
}

}  // namespace ersatz::ops
