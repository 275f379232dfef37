#include "kernels/shape/alias.h"

#include "kernels/shape/output_meta.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_alias {
namespace {

void rule(RuleCall& call) { start_alias(call, call.tensor(0)); }

void detach_inplace_rule(RuleCall& call) { start_alias(call, call.tensor(0), ViewKind::InPlace).requires_grad = false; }

void same_rule(RuleCall& call) { call.out.same(call.tensor(0)); }

}  // namespace

void register_ops(Registry& r) {
  r.add("aten::alias(Tensor(a) self) -> Tensor(a)", __FILE__)
      .tag(Tag::View | Tag::Core)
      .with_rule(rule)
      .sample("f32[2,3]{1,2}");
  r.add("aten::detach(Tensor(a) self) -> Tensor(a)", __FILE__).tag(Tag::View).with_rule(rule).sample("f32[2,3]");
  r.add("aten::detach_(Tensor(a!) self) -> Tensor(a!)", __FILE__)
      .tag(Tag::InplaceView)
      .with_rule(detach_inplace_rule)
      .sample("f32[2,3]");
  r.add("aten::lift_fresh(Tensor(a) self) -> Tensor(a)", __FILE__)
      .tag(Tag::View | Tag::Lift)
      .with_rule(same_rule)
      .sample("f32[2,3]");
}

}  // namespace ersatz::op_alias

namespace ersatz::ops {

Tensor alias(const Tensor& self) { return call_op<"aten.alias.default">(self); }
Tensor detach(const Tensor& self) { return call_op<"aten.detach.default">(self); }
Tensor detach_(const Tensor& self) { return call_op<"aten.detach_.default">(self); }
Tensor lift_fresh(const Tensor& self) { return call_op<"aten.lift_fresh.default">(self); }

}  // namespace ersatz::ops
