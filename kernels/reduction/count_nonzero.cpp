#include "kernels/reduction/count_nonzero.h"

#include "kernels/reduction/reduce_dims.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_count_nonzero {

Kernel run_cpu, run_dims_cpu;

namespace {

void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kCountNonzero["self"]);
  const DimMask mask = call.has(kCountNonzero["dim"]) ? reduced_dim(call, kCountNonzero["dim"], in.dim()) : kAllDims;
  call.out.fresh(reduced_meta(in, mask, false, DType::I64, call.device));
}

void dims_rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kCountNonzeroDimIntList["self"]);
  call.out.fresh(reduced_meta(in, reduced_dims(call, kCountNonzeroDimIntList["dim"], in.dim(), "C1"), false, DType::I64,
                              call.device));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kCountNonzero)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .dtypes(kAllDTypes)
                    .sample("i64[2,3,4]", -1, 1)
                    .sample("bool[2,3]{1,2}, -1");
  r.add_out(op, "out", kGeneratedForm);
  OpEntry& dims = r.add(kCountNonzeroDimIntList)
                      .with_rule(dims_rule)
                      .cpu(run_dims_cpu)
                      .dtypes(kAllDTypes)
                      .sample("c64[2,3,4], [0, 2]")
                      .refuses("C1", "f32[2,3], [0, 0]");
  r.add_out(dims, "dim_IntList_out", kGeneratedForm);
}

}  // namespace ersatz::op_count_nonzero
