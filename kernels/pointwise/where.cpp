#include "kernels/pointwise/where.h"

#include "kernels/pointwise/elementwise.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_where {
namespace {

constexpr uint8_t kValues[] = {1, 2};

void rule(RuleCall& call) {
  static constexpr Schemas kArgs{kWhereSelf, kWhereScalarSelf, kWhereScalarOther, kWhereScalar};
  const TensorMeta& condition = call.meta(kArgs["condition"]);
  call.require(condition.dtype == DType::Bool || condition.dtype == DType::U8, "C2",
               "the condition must be bool, it is {}", condition);
  const DType common = pointwise::common_dtype(call.context, call.args, kValues);
  // ATen converts each operand with `to` before it looks at layouts, on any device.
  TensorMeta converted[3];
  const TensorMeta* operands[3];
  size_t count = 0;
  for (size_t i = 0; i < 3; ++i) {
    if (!call.is_tensor(i)) continue;
    const TensorMeta& own = call.meta(i);
    operands[count] = &own;
    if (own.dtype != (i == 0 ? DType::Bool : common)) {
      converted[i] = own;
      converted[i].strides = preserved_strides(own.sizes, own.strides);
      operands[count] = &converted[i];
    }
    ++count;
  }
  OutputSpec& spec = call.out.outputs.emplace_back();
  spec.meta.dtype = common;
  spec.meta.device = call.device;
  iterator_layout(call, {operands, count}, std::nullopt, spec.meta, /*beside_number=*/count < 3);
}

std::optional<SymInt> flops(RuleCall&, const RuleResult&) { return 0; }

void run(KernelCall& call) {
  // The condition is converted like the values: 0 or something else in their dtype.
  constexpr uint8_t values[] = {kWhereSelf["self"], kWhereSelf["other"]},
                    operands[] = {kWhereSelf["condition"], kWhereSelf["self"], kWhereSelf["other"]};
  pointwise::run_row(call, pointwise::Row::where, operands, pointwise::common_dtype(call.context, call.args, values));
}

}  // namespace

void register_ops(Registry& r) {
  struct Overload {
    Schema schema;
    const char* sample;
  };
  for (const Overload& o :
       {Overload{kWhereSelf, "bool[2,3], f32[3], f32[2,3]{1,2}"}, Overload{kWhereScalarSelf, "bool[2,3], 2.5, f32[3]"},
        Overload{kWhereScalarOther, "bool[2,3], f32[3], 2.5"}, Overload{kWhereScalar, "bool[2,3]{1,2}, 2, 0.5"}}) {
    OpEntry& op = r.add(o.schema)
                      .tag(Tag::Pointwise | Tag::AcceptsNumbers)
                      .with_rule(rule)
                      .every_device(run)
                      .dtypes(kAllDTypes)
                      .devices({DeviceRule::CpuScalarOk, DeviceRule::CpuScalarOk, DeviceRule::CpuScalarOk})
                      .count_flops(flops)
                      .sample(o.sample, 0, 1);
    if (op.schema.overload != "self") continue;
    op.tag(Tag::Core).refuses("C1", "bool[2], f32[3], f32[3]").refuses("C2", "f32[3], f32[3], f32[3]");
    r.add_out(op, "self_out", WrittenForm());
  }
}

}  // namespace ersatz::op_where
