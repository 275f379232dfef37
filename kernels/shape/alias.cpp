#include "kernels/shape/alias.h"

#include "kernels/shape/functional_forms.h"
#include "kernels/shape/output_meta.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/keeps_version_tag.h"

namespace ersatz::op_alias {
namespace {

void rule(RuleCall& call) {
  static constexpr Schemas kArgs{kAlias, kDetach, kData};
  start_alias(call, call.tensor(kArgs["self"]));
}

void detach_inplace_rule(RuleCall& call) {
  TensorMeta& self = start_alias(call, call.tensor(kDetachInplace["self"]), ViewKind::InPlace);
  if (!call.context.inference_mode) self.requires_grad = false;
}

void same_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kLiftFresh, kLift};
  call.out.same(call.tensor(kArgs["self"]));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kAlias).tag(Tag::View | Tag::Core).with_rule(rule).sample("f32[2,3]{1,2}");
  r.add(kDetach).tag(Tag::View).with_rule(rule).sample("f32[2,3]");
  r.add(kData).tag(Tag::View).with_rule(rule).sample("f32[2,3]");
  r.add(kDetachInplace).tag(Tag::InplaceView | kKeepsVersion).with_rule(detach_inplace_rule).sample("f32[2,3]");
  OpEntry& lift = r.add(kLift).tag(Tag::View).with_rule(same_rule).sample("f32[2,3]");
  add_written_apart(r, lift, "out").sample("f32[2,3]{1,2}, out=f32[0]");
  r.add(kLiftFresh).tag(Tag::View | Tag::Lift).with_rule(same_rule).sample("f32[2,3]");
}

}  // namespace ersatz::op_alias
