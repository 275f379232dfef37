#include "kernels/indexing/bincount.h"

#include "kernels/indexing/bincount_plan.h"
#include "kernels/indexing/found_output.h"

namespace ersatz::op_bincount {

ReturningKernel run_cpu;

namespace {

DType result_dtype(const RuleCall& call) {
  if (!call.has(kBincount["weights"]) || size_eq(call.meta(kBincount["self"]).numel(), 0)) return DType::I64;
  return sums_dtype(call.meta(kBincount["weights"]).dtype);
}

void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kBincount["self"]);
  call.require_dtype(self.dtype, kIntegers);
  const SymInt least = call.sym(kBincount["minlength"]);
  call.require(check_ge(least, 0), "C2", "minlength must not be negative: got {}", least);
  call.require(self.dim() == 1, "C1", "expects a vector of integers: self is {}", self);
  const bool empty = size_eq(self.numel(), 0);
  if (call.has(kBincount["weights"]) && !empty) {
    const TensorMeta& weights = call.meta(kBincount["weights"]);
    call.require(weights.dim() == 1 && check_eq(weights.sizes[0], self.sizes[0]), "C3",
                 "expects a weight for each element: self is {}, weights are {}", self, weights);
  }
  const std::optional<SymInt> n = empty ? least : call.size_of_data({.min = least.is_int() ? least.as_int() : 0});
  if (n) call.out.fresh(TensorMeta(result_dtype(call), std::span(&*n, 1), call.device));
}

void write_counts(CompositeCall& call) {
  const DType dtypes[] = {result_dtype(call)};
  write_found(call, dtypes);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kBincount)
                    .tag(Tag::DataDependent | Tag::FailsOnValues)
                    .with_rule(rule)
                    .cpu_returns(run_cpu)
                    .sample("i64[6]", 0, 4)
                    .sample("i32[6], f64[6], 7", 0, 4)
                    .refuses("C1", "i64[2,2]")
                    .refuses("C2", "i64[2], minlength=-1")
                    .refuses("C3", "i64[2], f32[3]");
  r.add_out_alike(op, "out")
      .with_rule(nullptr)
      .with_composite(write_counts)
      .sample("i64[6], out=i64[0]", 0, 4)
      .refuses("out_dtype", "i64[6], out=f32[0]");
}

}  // namespace ersatz::op_bincount
