#include "kernels/linalg/cholesky_solve.h"

#include "kernels/linalg/column_major.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/type_promotion.h"

namespace ersatz::op_cholesky_solve {

Kernel run_inverse_cpu, run_solve_cpu;

namespace {

void inverse_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kInverse["self"]);
  require_square(call, self);
  call.require_dtype(self.dtype, kLapackDTypes);
  call.out.fresh(column_major_meta(self.dtype, self.sizes, call.device));
}
/// cholesky_inverse.out in ATen checks the dtype of `out`, then whether a kernel supports the dtype, then the memory of
/// `out`.
void inverse_out_rule(RuleCall& call) {
  const TensorMeta &self = call.meta(kInverse["self"]), &out = call.meta(kInverse.out());
  require_square(call, self);
  if (can_cast(self.dtype, out.dtype)) call.require_dtype_first(self.dtype, kLapackDTypes);
  column_major_out_rule(call);
}
void solve_rule(RuleCall& call) {
  const TensorMeta &b = call.meta(kSolve["self"]), &factor = call.meta(kSolve["input2"]);
  call.require(b.dim() >= 2, "C1", "expects matrices: self is {}", b);
  call.require(b.dtype == factor.dtype || factor.dim() < 2, "C3", "expects operands of one dtype: they are {} and {}",
               b, factor);
  require_square(call, factor);
  const size_t rank = b.sizes.size();
  call.require(check_eq(b.sizes[rank - 2], factor.sizes.back()), "C5", "self {} does not fit the factor {}", b, factor);
  DimVec sizes = broadcast_batches(call, "C6", b, leading_sizes(b.sizes, 2), factor, leading_sizes(factor.sizes, 2));
  call.require_dtype(b.dtype, kLapackDTypes);
  sizes.push_back(b.sizes[rank - 2]);
  sizes.push_back(b.sizes[rank - 1]);
  call.out.fresh(column_major_meta(b.dtype, sizes, call.device));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& inverse = r.add(kInverse)
                         .tag(Tag::FailsOnValues)
                         .with_rule(inverse_rule)
                         .cpu(run_inverse_cpu)
                         .with_fallback(FallbackPolicy::Rule, Fill::Identity)
                         .sample("f32[2,3,3]", 1, 2)
                         .refuses("C1", "f32[2]")
                         .refuses("C2", "f32[2,3]");
  r.add_out(inverse, "out", WrittenForm{.cast = WrittenCast::Any}).with_rule(inverse_out_rule);
  OpEntry& solve = r.add(kSolve)
                       .with_rule(solve_rule)
                       .cpu(run_solve_cpu)
                       .with_fallback(FallbackPolicy::Rule, Fill::Identity)
                       .sample("f32[2,3,2], f32[3,3]", 1, 2)
                       .sample("f32[3,2], f32[2,3,3], True", 1, 2)
                       .refuses("C1", "f32[2], f32[2,2]")
                       .refuses("C2", "f32[2,2], f32[2,3]")
                       .refuses("C3", "f32[2,2], f64[2,2]")
                       .refuses("C5", "f32[3,2], f32[2,2]")
                       .refuses("C6", "f32[2,2,2], f32[3,2,2]");
  r.add_out(solve, "out", WrittenForm{.cast = WrittenCast::Any, .row_major = true});
}

}  // namespace ersatz::op_cholesky_solve
