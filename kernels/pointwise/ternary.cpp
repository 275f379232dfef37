// addcdiv, addcmul, lerp.
#include "kernels/pointwise/ternary.h"

#include "kernels/pointwise/elementwise.h"
#include "kernels/pointwise/row_table.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_ternary {
namespace {

constexpr uint8_t kOperands[] = {kAddcdiv["self"], kAddcdiv["tensor1"],
                                 kAddcdiv["tensor2"]};  // in lerp: self, end, weight

void addc_rule(RuleCall& call) {
  const DType common = pointwise::common_dtype(call.context, call.args, kOperands);
  pointwise::answer_elementwise(call, kOperands, common, common);
  call.require_dtype(common, kNumbers);
  require_loop_number(call, call.scalar(kAddc["value"]), common, LoopNumber::Computed, "C2");
}

/// Checks [addcdiv.C3]: two integer tensors are refused for any `value`.
void addcdiv_rule(RuleCall& call) {
  call.require(!is_integral(call.meta(kAddcdiv["tensor1"]).dtype) || !is_integral(call.meta(kAddcdiv["tensor2"]).dtype),
               "C3", "integers are not divided: tensor1 is {}, tensor2 is {}", call.meta(kAddcdiv["tensor1"]),
               call.meta(kAddcdiv["tensor2"]));
  addc_rule(call);
}

/// Returns the dtype that lerp computes in. If the weight is a 0-d tensor, this is the common dtype of all operands,
/// otherwise self's dtype.
DType lerp_dtype(const RuleContext& context, std::span<const Value> args) {
  const Value& weight = args[kLerp["weight"]];
  if (weight.is_tensor() && weight.tensor_impl()->meta.dim() == 0)
    return pointwise::common_dtype(context, args, kOperands);
  return args[kLerp["self"]].tensor_impl()->meta.dtype;
}

/// Checks [lerp.C2]: end and weight have self's dtype. A 0-d weight may have any dtype.
void lerp_rule(RuleCall& call) {
  const DType dtype = call.meta(kLerp["self"]).dtype, computed = lerp_dtype(call.context, call.args);
  for (Position i : {kLerp["end"], kLerp["weight"]}) {
    if (!call.is_tensor(i) || (i == kLerp["weight"] && call.meta(i).dim() == 0)) continue;
    call.require(call.meta(i).dtype == dtype, "C2", "{} must have dtype {} as self has, it is {}",
                 call.op.schema.arguments[i].name, name(dtype), call.meta(i));
  }
  pointwise::answer_elementwise(call, kOperands, computed, computed);
  call.require_dtype(computed, kFloatsAndComplexes);
  if (!call.is_tensor(kLerp["weight"])) {
    require_loop_number(call, call.scalar(kLerp["weight"]), dtype, LoopNumber::Computed, "C3");
  }
}

/// The rule of lerp.Tensor_out. PyTorch reads a 0-d weight as a number, and then casts the result to the dtype of
/// `out`.
void lerp_out_rule(RuleCall& call) {
  const bool is_number = call.meta(kLerpTensor["weight"]).dim() == 0;
  derived_out_rule(call, WrittenForm{.cast = is_number ? WrittenCast::Any : WrittenCast::Own});
}

std::optional<SymInt> flops(RuleCall&, const RuleResult& result) { return SymInt(3) * result.outputs[0].meta.numel(); }

OpEntry& add(Registry& r, const Schema& schema, const std::string& out_overload, Rule rule, FillKernel kernel) {
  OpEntry& op = r.add(schema).tag(Tag::Pointwise).with_rule(rule).every_device(kernel).count_flops(flops);
  op.devices(std::vector<DeviceRule>(op.schema.arguments.size(), DeviceRule::CpuScalarOk));
  r.add_inplace(op);
  OpEntry& out = r.add_out(op, out_overload, WrittenForm{.cast = WrittenCast::Any});
  if (op.schema.overload == "Tensor") out.with_rule(lerp_out_rule);
  return op;
}

void run_addc(KernelCall& call, pointwise::Row row) {
  pointwise::RowParams params;
  pointwise::set_param(params, 0, call.scalar(kAddc["value"]));
  pointwise::run_row(call, row, kOperands, pointwise::common_dtype(call.context, call.args, kOperands), params);
}

void run_addcdiv(KernelCall& call) { run_addc(call, pointwise::Row::addcdiv); }
void run_addcmul(KernelCall& call) { run_addc(call, pointwise::Row::addcmul); }
void run_lerp(KernelCall& call) {
  pointwise::run_row(call, pointwise::Row::lerp, kOperands, lerp_dtype(call.context, call.args));
}

}  // namespace

void register_ops(Registry& r) {
  add(r, kAddcdiv, "out", addcdiv_rule, run_addcdiv)
      .sample("f32[2,3], f32[2,3]{1,2}, f32[3], value=0.5", 0.5, 2)
      .refuses("C1", "f32[2], f32[3], f32[2]")
      .refuses("C3", "i64[2], i64[2], i64[2]");
  add(r, kAddcmul, "out", addc_rule, run_addcmul)
      .sample("f32[2,3], f32[2,3]{1,2}, f32[3], value=2")
      .sample("i64[2,3], i64[3], i64[2,3]")
      .refuses("C1", "f32[2], f32[3], f32[2]");
  add(r, kLerpScalar, "Scalar_out", lerp_rule, run_lerp)
      .sample("f32[2,3], f32[2,3]{1,2}, 0.25")
      .refuses("C2", "f32[2], f64[2], 0.5");
  add(r, kLerpTensor, "Tensor_out", lerp_rule, run_lerp)
      .sample("f32[2,3], f32[2,3]{1,2}, f32[3]")
      .refuses("C2", "f32[2], f32[2], f64[2]");
}

}  // namespace ersatz::op_ternary
