#include "kernels/indexing/item.h"

#include "kernels/indexing/tensor_number.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_item {
namespace {

void rule(RuleCall& call) {
  const SymInt n = call.meta(kLocalScalarDense["self"]).numel();
  call.require(guard_ne(n, 0), "C1", "expects an element: self is {}", call.meta(kLocalScalarDense["self"]));
}

void item(CompositeCall& call) {
  call.require(guard_eq(call.meta(kItem["self"]).numel(), 1), "C1", "expects one element: self is {}",
               call.meta(kItem["self"]));
  call.returns(call_op_all<"aten._local_scalar_dense.default">(call[kItem["self"]])[0]);
}

void run_cpu(KernelCall& call, Values& results) {
  results.push_back(first_number(call.tensor(kLocalScalarDense["self"])));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kLocalScalarDense)
      .tag(Tag::ScalarRead | Tag::Core)
      .with_rule(rule)
      .cpu_returns(run_cpu)
      .sample("f32[]")
      .sample("i64[1]")
      .refuses("C1", "f32[0]");
  r.add(kItem).tag(Tag::ScalarRead).with_composite(item).sample("f32[]").refuses("C1", "f32[2]");
}

}  // namespace ersatz::op_item
