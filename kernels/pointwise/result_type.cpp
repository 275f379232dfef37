#include "kernels/pointwise/result_type.h"

#include "runtime/op/registry.h"
#include "runtime/op/type_promotion.h"

namespace ersatz::op_result_type {
namespace {

/// Returns the priority of an operand in promotion: 2 for a tensor with dims, 1 for a 0-d tensor, 0 for a number.
int rank_of(const Value& v) {
  if (!v.is_tensor() || v.tensor_impl()->meta.wrapped_number) return 0;
  return v.tensor_impl()->meta.dim() > 0 ? 2 : 1;
}
/// A bf16 tensor and a complex operand of lower priority have the dtype bcomplex32, which ersatz does not have. Returns
/// PyTorch's number of that dtype in this case.
std::optional<int64_t> complex_bfloat16(const RuleCall& call) {
  constexpr int64_t kComplexBFloat16 = 46;
  for (const size_t i : {0, 1}) {
    const Value &v = call.args[i], &other = call.args[1 - i];
    if (!v.is_tensor() || rank_of(v) <= rank_of(other)) continue;
    ResultType of_other(call.context.default_dtype);
    of_other.add(other);
    if (v.tensor_impl()->meta.dtype == DType::BF16 && is_complex(of_other.result())) return kComplexBFloat16;
  }
  return std::nullopt;
}

void result_rule(RuleCall& call) {
  const std::optional<int64_t> number = complex_bfloat16(call);
  call.out.number(number ? Value(*number) : Value(result_type(call, {0, 1})));
}
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
