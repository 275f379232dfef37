#include "kernels/pointwise/gelu.h"

#include "kernels/pointwise/elementwise.h"
#include "kernels/pointwise/pointwise.h"
#include "runtime/op/registry.h"

namespace ersatz::op_gelu {
namespace {

constexpr uint8_t kOperands[] = {kGelu["self"]};

void rule(RuleCall& call) {
  const DType dtype = call.meta(kGelu["self"]).dtype;
  const std::string_view approximate = call[kGelu["approximate"]].as_string();
  call.require(approximate == "none" || approximate == "tanh", "C1", "approximate must be none or tanh, it is {}",
               approximate);
  pointwise::answer_elementwise(call, kOperands, dtype, dtype);
  call.require_dtype(dtype, kFloats);
}

std::optional<SymInt> flops(RuleCall&, const RuleResult& result) { return SymInt(24) * result.outputs[0].meta.numel(); }

void run(KernelCall& call) {
  const bool tanh = call[kGelu["approximate"]].as_string() == "tanh";
  pointwise::run_row(call, tanh ? pointwise::Row::gelu_tanh : pointwise::Row::gelu_erf, kOperands,
                     call[kGelu["self"]].tensor_impl()->meta.dtype);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kGelu)
                    .tag(Tag::Pointwise | Tag::Core)
                    .with_rule(rule)
                    .every_device(run)
                    .dtypes(kFloats)
                    .devices({DeviceRule::CpuScalarOk, DeviceRule::Any})
                    .count_flops(flops)
                    .sample("f32[2,3]", -4, 4)
                    .sample("f32[2,3]{1,2}, approximate=\"tanh\"", -4, 4)
                    .refuses("C1", "f32[2], approximate=\"erf\"")
                    .refuses("", "i64[2]");
  r.add_inplace(op);
  r.add_out(op, "out", WrittenForm());
}

}  // namespace ersatz::op_gelu
