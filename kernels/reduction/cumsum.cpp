#include "kernels/reduction/cumsum.h"

#include "kernels/reduction/out_dtype.h"
#include "runtime/dispatch.h"

namespace ersatz::op_cumsum {

void run_cpu(KernelCall& call);

namespace {

void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(0);
  call.wrap_dim(call.integer(1), in.dim());
  const DType t = call.has(2) ? call.args[2].as_dtype() : is_integral(in.dtype) ? DType::I64 : in.dtype;
  call.require_dtype(t, kNumbers);
  call.out.fresh(TensorMeta(t, in.sizes, call.device));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add("aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", __FILE__)
                    .tag(Tag::Core)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .dtypes(kAllDTypes)
                    .sample("f32[2,3,4], 1")
                    .sample("bool[5], 0")
                    .sample("bf16[2,3]{1,2}, -1, dtype=f32");
  OpEntry& out = r.add_out(op, "out");
  compute_in_dtype_of_out<2>(out);
  r.add_inplace(op);
}

}  // namespace ersatz::op_cumsum

namespace ersatz::ops {

Tensor cumsum(const Tensor& self, int64_t dim, std::optional<DType> dtype) {
  return call_op<"aten.cumsum.default">(self, dim, dtype);
}

}  // namespace ersatz::ops
