#include "kernels/reduction/prod.h"

#include "kernels/reduction/reduce_dims.h"
#include "kernels/reduction/sum_dtype.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_prod {

Kernel run_cpu, run_dim_cpu;

namespace {

void rule(RuleCall& call) {
  call.out.fresh(reduced_meta(call.meta(kProd["self"]), kAllDims, false, sum_dtype(call, kProd["dtype"]), call.device));
}

void dim_rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kProdDimInt["self"]);
  const DimMask mask = reduced_dim(call, kProdDimInt["dim"], in.dim());
  call.out.fresh(
      reduced_meta(in, mask, call.boolean(kProdDimInt["keepdim"]), sum_dtype(call, kProdDimInt["dtype"]), call.device));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& all = r.add(kProd)
                     .tag(Tag::Core)
                     .with_rule(rule)
                     .cpu(run_cpu)
                     .dtypes(kAllDTypes)
                     .sample("f32[2,3]")
                     .sample("bool[5]")
                     .sample("f16[3,4]{1,3}, dtype=f32");
  r.add_out(all, "out", kGeneratedForm);
  OpEntry& dim = r.add(kProdDimInt)
                     .tag(Tag::Core)
                     .with_rule(dim_rule)
                     .cpu(run_dim_cpu)
                     .dtypes(kAllDTypes)
                     .sample("f32[2,3,4], 1")
                     .sample("i32[2,3,4]{1,8,2}, -1, True");
  r.add_out(dim, "int_out", reduction_form(WrittenCast::Own, kProdDimInt["dtype"]))
      .with_rule(out_rule_after_resize<kProdDimInt>);
}

}  // namespace ersatz::op_prod
