#include "kernels/random/rejection.h"

#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_rejection {

Kernel poisson_cpu, gamma_cpu, dirichlet_cpu;

namespace {

void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kEach["self"]);
  TensorMeta out(self.dtype, self.sizes, call.device);
  if (call.device.is_cuda()) out.strides = preserved_strides(self.sizes, self.strides);
  call.out.fresh(std::move(out));
  if (call.device.is_cpu()) call.require_dtype(self.dtype, call.op.dtypes_on(call.device.type));
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
}

}  // namespace ersatz::op_rejection
