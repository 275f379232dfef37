// div with rounding mode None, "trunc" or "floor".
#include "kernels/pointwise/div_mode.h"

#include "kernels/pointwise/elementwise.h"
#include "runtime/op/registry.h"

namespace ersatz::op_div_mode {
namespace {

constexpr uint8_t kOperands[] = {kDivTensorMode["self"], kDivTensorMode["other"]};

void rule(RuleCall& call) {
  const DType common = pointwise::common_dtype(call.context, call.args, kOperands);
  if (!call.has(kEach["rounding_mode"])) {
    const DType operand = pointwise::operand_dtype(pointwise::Promotion::Float, common, call.context.default_dtype);
    call.require_dtype(operand, kFloatsAndComplexes);
    return pointwise::answer_elementwise(call, kOperands, operand, operand, pointwise::Numbers::Operands);
  }
  const std::string_view mode = call[kEach["rounding_mode"]].as_string();
  call.require(mode == "trunc" || mode == "floor", "C2", "rounding_mode must be None, trunc or floor, it is {}", mode);
  pointwise::answer_elementwise(call, kOperands, common, common, pointwise::Numbers::Operands);
  call.require_dtype(common, kReals);
}

std::optional<SymInt> flops(RuleCall&, const RuleResult& result) { return SymInt(2) * result.outputs[0].meta.numel(); }

void run(KernelCall& call) {
  using pointwise::Row;
  const DType common = pointwise::common_dtype(call.context, call.args, kOperands);
  if (!call.has(kEach["rounding_mode"])) {
    return pointwise::run_row(
        call, Row::div, kOperands,
        pointwise::operand_dtype(pointwise::Promotion::Float, common, call.context.default_dtype));
  }
  if (is_integral(common)) pointwise::refuse_zero_divisor(call, kEach["other"]);
  const bool floor = call[kEach["rounding_mode"]].as_string() == "floor";
  pointwise::run_row(call, floor ? Row::floor_divide : Row::div_trunc, kOperands, common);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& tensor = r.add(kDivTensorMode)
                        .sample("f32[2,3], f32[3], rounding_mode=\"floor\"", 0.5, 9)
                        .sample("i64[2,3], i64[2,3]{1,2}, rounding_mode=\"trunc\"", 1, 9)
                        .sample("f32[2,3], f32[3], rounding_mode=None", 0.5, 9)
                        .refuses("C1", "f32[2], f32[3], rounding_mode=\"floor\"")
                        .refuses("C2", "f32[2], f32[2], rounding_mode=\"up\"");
  OpEntry& scalar = r.add(kDivScalarMode)
                        .sample("f32[2,3]{1,2}, 2, rounding_mode=\"floor\"")
                        .sample("c64[2,3], 2, rounding_mode=None")
                        .refuses("C2", "f32[2], 2, rounding_mode=\"up\"");
  for (OpEntry* op : {&tensor, &scalar}) {
    op->tag(Tag::Pointwise | Tag::Core | Tag::AcceptsNumbers | Tag::FailsOnValues)
        .with_rule(rule)
        .every_device(run)
        .dtypes(kNumbers)
        .devices({DeviceRule::CpuScalarOk, DeviceRule::CpuScalarOk, DeviceRule::Any})
        .count_flops(flops);
  }
  r.add_inplace(tensor);
  r.add_inplace(scalar);
  r.add_out(tensor, "out_mode");
  r.add_out(scalar, "Scalar_mode_out", kGeneratedForm);
}

}  // namespace ersatz::op_div_mode
