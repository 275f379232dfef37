#include "kernels/linalg/triangular.h"

#include "kernels/linalg/column_major.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_triangular {

Kernel run_cpu, run_old_cpu;

namespace {

/// Checks the triangular matrix `a` and the right side `b`. RETURNS: the sizes to which their batch dims broadcast.
DimVec check(const RuleCall& call, const TensorMeta& a, const TensorMeta& b, bool left) {
  require_square(call, a);
  call.require(b.dim() >= 2, "C4", "expects a right side of matrices: it is {}", b);
  const size_t rank = b.sizes.size();
  call.require(check_eq(b.sizes[left ? rank - 2 : rank - 1], a.sizes.back()), "C5",
               "the right side {} does not fit the triangle {}, left is {}", b, a, left);
  return broadcast_batches(call, "C6", a, leading_sizes(a.sizes, 2), b, leading_sizes(b.sizes, 2));
}
void answer(RuleCall& call, const TensorMeta& of, const DimVec& batch) {
  DimVec sizes = batch;
  sizes.push_back(of.sizes[of.sizes.size() - 2]);
  sizes.push_back(of.sizes.back());
  call.out.fresh(column_major_meta(of.dtype, sizes, call.device));
}

void rule(RuleCall& call) {
  const TensorMeta &a = call.meta(kSolve["self"]), &b = call.meta(kSolve["B"]);
  const DimVec batch = check(call, a, b, call.boolean(kSolve["left"]));
  call.require_dtype_first(a.dtype, kLapackDTypes);
  answer(call, b, batch);
  call.out.outputs[0].meta.dtype = a.dtype;
}
void old_rule(RuleCall& call) {
  const TensorMeta &b = call.meta(kOldSolve["self"]), &a = call.meta(kOldSolve["A"]);
  call.require(a.dtype == b.dtype, "C3", "expects operands of one dtype: they are {} and {}", b, a);
  const DimVec batch = check(call, a, b, true);
  answer(call, b, batch);
  answer(call, a, batch);
  call.require_dtype(a.dtype, kLapackDTypes);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kSolve)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .with_fallback(FallbackPolicy::Rule, Fill::Identity)
                    .sample("f32[3,3], f32[2,3,2], upper=True", 1, 2)
                    .sample("f32[2,3,3], f32[2,3], upper=False, left=False, unitriangular=True", 1, 2)
                    .refuses("C1", "f32[3], f32[3,3], upper=True")
                    .refuses("C2", "f32[3,2], f32[3,3], upper=True")
                    .refuses("C4", "f32[3,3], f32[3], upper=True")
                    .refuses("C5", "f32[3,3], f32[2,3], upper=True")
                    .refuses("C6", "f32[2,3,3], f32[3,3,3], upper=True");
  r.add_out(op, "out");
  OpEntry& old = r.add(kOldSolve)
                     .with_rule(old_rule)
                     .cpu(run_old_cpu)
                     .with_fallback(FallbackPolicy::Rule, Fill::Identity)
                     .sample("f32[2,3,2], f32[3,3]", 1, 2)
                     .sample("f32[3,2], f32[2,3,3], False, True, True", 1, 2)
                     .refuses("C1", "f32[3,3], f32[3]")
                     .refuses("C2", "f32[3,3], f32[3,2]")
                     .refuses("C3", "f64[3,3], f32[3,3]")
                     .refuses("C4", "f32[3], f32[3,3]")
                     .refuses("C5", "f32[2,3], f32[3,3]")
                     .refuses("C6", "f32[2,3,3], f32[3,3,3]");
  r.add_out(old, "X", {}, {"X", "M"}).with_rule(kernel_first_out_rule);
}

}  // namespace ersatz::op_triangular
