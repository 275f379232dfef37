#include "kernels/random/rejection.h"

#include "kernels/random/stretched_operands.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_rejection {

Kernel poisson_cpu, gamma_cpu, dirichlet_cpu, binomial_cpu;

namespace {

void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kEach["self"]);
  TensorMeta out(self.dtype, self.sizes, call.device);
  if (call.device.is_cuda()) out.strides = preserved_strides(self.sizes, self.strides);
  call.out.fresh(std::move(out));
  if (call.device.is_cpu()) call.require_dtype(self.dtype, call.op.dtypes_on(call.device.type));
}

void binomial_rule(RuleCall& call) {
  const TensorMeta &count = call.meta(kBinomial["count"]), &prob = call.meta(kBinomial["prob"]);
  if (!is_float(count.dtype) || !is_float(prob.dtype))
    call.refuse(ErrorFamily::Value, "C3", "expects floats: {} and {}", count, prob);
  const TensorMeta* const operands[] = {&count, &prob};
  answer_stretched(call, operands);
}

}  // namespace

void register_ops(Registry& r) {
  struct Distribution {
    Schema schema;
    FillKernel kernel;
    DTypeSet dtypes;
  };
  const DTypeSet wide{DType::F32, DType::F64};
  for (const Distribution& d : {Distribution{kPoisson, poisson_cpu, kFloats}, Distribution{kGamma, gamma_cpu, wide},
                                Distribution{kDirichlet, dirichlet_cpu, wide}}) {
    OpEntry& op = r.add(d.schema)
                      .tag(Tag::Random)
                      .with_rule(rule)
                      .cpu(d.kernel)
                      .dtypes(d.dtypes)
                      .dtypes_on_cuda(kAllDTypes)
                      .sample("f32[2,3]{1,2}", 0.5, 3)
                      .refuses("", "i64[2]");
    if (d.dtypes == kFloats) op.tag(Tag::FailsOnValues);
    r.add_out(op, "out", kGeneratedForm).tag(Tag::Random);
  }
  OpEntry& binomial = r.add(kBinomial)
                          .tag(Tag::Random)
                          .with_rule(binomial_rule)
                          .cpu(binomial_cpu)
                          .dtypes(wide)
                          .dtypes_on_cuda(kFloats)
                          .sample("f32[2,3]{1,2}, f32[3]", 0.1, 0.9)
                          .refuses("C1", "f32[2], f64[2]")
                          .refuses("C2", "f32[2], f32[3]")
                          .refuses("C3", "i64[2], f32[2]")
                          .refuses("", "f16[2], f16[2]");
  r.add_out(binomial, "out", kGeneratedForm).tag(Tag::Random);
}

}  // namespace ersatz::op_rejection
