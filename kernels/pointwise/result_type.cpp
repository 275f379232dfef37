#include "kernels/pointwise/result_type.h"

#include "runtime/op/registry.h"
#include "runtime/op/type_promotion.h"

namespace ersatz::op_result_type {
namespace {

void result_rule(RuleCall& call) { call.out.number(result_type(call, {0, 1})); }
void promote_rule(RuleCall& call) {
  call.out.number(promote_types(call[kPromoteTypes["type1"]].as_dtype(), call[kPromoteTypes["type2"]].as_dtype()));
}
void cast_rule(RuleCall& call) {
  call.out.number(can_cast(call[kCanCast["from_"]].as_dtype(), call[kCanCast["to"]].as_dtype()));
}

}  // namespace

void register_ops(Registry& r) {
  const auto add = [&](std::string_view overload, std::string_view a, std::string_view b, std::string sample) {
    r.add(kResultType.with(overload, a, b))
        .with_rule(result_rule)
        .devices({DeviceRule::Any, DeviceRule::Any})
        .sample(std::move(sample));
  };
  add("Tensor", "Tensor tensor", "Tensor other", "i64[2], f32[]");
  add("Scalar", "Tensor tensor", "Scalar other", "i64[2], 1.5");
  add("Scalar_Tensor", "Scalar scalar", "Tensor tensor", "True, i64[2]");
  add("Scalar_Scalar", "Scalar scalar1", "Scalar scalar2", "1, 2.5");
  r.add(kPromoteTypes).with_rule(promote_rule).sample("f16, i64");
  r.add(kCanCast).with_rule(cast_rule).sample("f32, i64");
}

}  // namespace ersatz::op_result_type
