#include "kernels/pointwise/gelu.h"

#include <numbers>

#include "kernels/pointwise/arithmetic.h"
#include "kernels/pointwise/elementwise.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/copy.h"
#include "runtime/op/composite.h"
#include "runtime/op/registry.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"

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

/// Returns grad * (cdf + self * pdf) of the normal distribution. All ops that it calls have derivatives.
void backward(CompositeCall& call) {
  using namespace arithmetic;
  const Tensor grad = call.tensor(kGeluBackwardOfParts["grad"]), self = call.tensor(kGeluBackwardOfParts["self"]);
  const Tensor cdf = ops::add(ops::erf(self * Scalar(std::numbers::sqrt2 / 2)), Scalar(1)) * Scalar(0.5);
  const Tensor pdf = ops::exp(self * self * Scalar(-0.5)) * Scalar(std::numbers::sqrt2 / 2 * std::numbers::inv_sqrtpi);
  const Tensor result = grad * (cdf + self * pdf);
  call.require(same_sizes(result.sizes(), self.sizes()), "C1",
               "the gradient must broadcast to self: they are {} and {}", grad.meta(), self.meta());
  call.returns(ops::to(result, promote_types(grad.dtype(), self.dtype())));
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
  r.add(kGeluBackwardOfParts).with_composite(backward).sample("f32[3], f32[2,3]").refuses("C1", "f32[3], f32[]");
}

}  // namespace ersatz::op_gelu
