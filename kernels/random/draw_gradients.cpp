#include "kernels/random/draw_gradients.h"

#include "kernels/random/stretched_operands.h"
#include "runtime/op/registry.h"

namespace ersatz::op_draw_gradients {

Kernel gamma_grad_cpu, dirichlet_grad_cpu;

namespace {

void rule(RuleCall& call) {
  InlineVec<const TensorMeta*, 3> operands;
  for (size_t i = 0; i < call.args.size(); ++i) operands.push_back(&call.meta(i));
  answer_stretched(call, operands);
}

}  // namespace

void register_ops(Registry& r) {
  const DTypeSet wide{DType::F32, DType::F64};
  // PyTorch approximates the gradient of gamma numbers. The tolerance covers the error of that approximation.
  OpEntry& gamma = r.add(kGammaGrad)
                       .with_rule(rule)
                       .cpu(gamma_grad_cpu)
                       .dtypes(wide)
                       .dtypes_on_cuda(kFloats)
                       .with_tolerance(2e-3)
                       .sample("f32[2,3]{1,2}, f32[3]", 0.5, 3)
                       .refuses("C1", "f32[2], f64[2]")
                       .refuses("C2", "f32[2], f32[3]")
                       .refuses("", "f16[2], f16[2]");
  r.add_out(gamma, "out", kGeneratedForm);
  OpEntry& dirichlet = r.add(kDirichletGrad)
                           .with_rule(rule)
                           .cpu(dirichlet_grad_cpu)
                           .dtypes(wide)
                           .with_tolerance(2e-3)
                           .sample("f32[2,3]{1,2}, f32[3], f32[2,1]", 0.1, 0.9)
                           .refuses("C1", "f32[2], f64[2], f32[2]")
                           .refuses("C2", "f32[2], f32[3], f32[2]")
                           .refuses("", "i64[2], i64[2], i64[2]");
  r.add_out(dirichlet, "out", kGeneratedForm);
}

}  // namespace ersatz::op_draw_gradients
