#include "kernels/linalg/ldl.h"

#include "kernels/linalg/column_major.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_ldl {

Kernel run_factor_cpu, run_solve_cpu;

namespace {

void factor_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kLdlFactorEx["self"]);
  require_square(call, self);
  call.require_dtype_first(self.dtype, kAnyFloatsAndComplexes);
  require_lapack_dtype(call, self);
  call.out.fresh(column_major_meta(self.dtype, self.sizes, call.device));
  call.out.fresh(TensorMeta(DType::I32, leading_sizes(self.sizes, 1), call.device));
  call.out.fresh(TensorMeta(DType::I32, leading_sizes(self.sizes, 2), call.device));
}

void solve_rule(RuleCall& call) {
  const TensorMeta &ld = call.meta(kLdlSolve["LD"]), &pivots = call.meta(kLdlSolve["pivots"]),
                   &b = call.meta(kLdlSolve["B"]);
  require_square(call, ld);
  call.require_dtype_first(ld.dtype, kAnyFloatsAndComplexes);
  call.require(ld.dtype == b.dtype, "C3", "expects LD and B of one dtype: LD is {}, B is {}", ld, b);
  call.require_index(b.dim() >= 2, "C4", "expects B of matrices: it is {}", b);
  call.require(kIntegers.has(pivots.dtype), "C3", "expects integer pivots: pivots is {}", pivots);
  const size_t rank = b.sizes.size();
  call.require(check_eq(b.sizes[rank - 2], ld.sizes.back()) && pivots.dim() == ld.dim() - 1 &&
                   check_eq(pivots.sizes, leading_sizes(ld.sizes, 1)),
               "C5", "LD, pivots and B do not fit: they are {}, {} and {}", ld, pivots, b);
  DimVec sizes = broadcast_batches(call, "C6", ld, leading_sizes(ld.sizes, 2), b, leading_sizes(b.sizes, 2));
  require_lapack_dtype(call, ld);
  sizes.push_back(b.sizes[rank - 2]);
  sizes.push_back(b.sizes[rank - 1]);
  call.out.fresh(column_major_meta(ld.dtype, sizes, call.device));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& factor = r.add(kLdlFactorEx)
                        .tag(Tag::FailsOnValues)
                        .with_rule(factor_rule)
                        .cpu(run_factor_cpu)
                        .with_fallback(FallbackPolicy::Rule, Fill::Identity)
                        .sample("f32[2,3,3]")
                        .sample("f64[3,3], hermitian=True")
                        .refuses("C1", "f32[2]")
                        .refuses("C2", "f32[2,3]");
  r.add_out(factor, "out", {}, {"LD", "pivots", "info"}).with_rule(kernel_first_out_rule);
  OpEntry& solve = r.add(kLdlSolve)
                       .tag(Tag::FailsOnValues)
                       .with_rule(solve_rule)
                       .cpu(run_solve_cpu)
                       .with_fallback(FallbackPolicy::Rule, Fill::Identity)
                       .sample("f32[2,1,1], i32[2,1], f32[1,3]", 1, 1)
                       .sample("f64[1,1], i64[1], f64[2,1,1], hermitian=True", 1, 1)
                       .refuses("C1", "f32[2], i32[2], f32[2,2]")
                       .refuses("C2", "f32[2,3], i32[2], f32[2,2]")
                       .refuses("C3", "f32[2,2], f32[2], f32[2,2]")
                       .refuses("C4", "f32[2,2], i32[2], f32[2]")
                       .refuses("C5", "f32[2,2], i32[2], f32[3,2]")
                       .refuses("C6", "f32[2,2,2], i32[2,2], f32[3,2,1]");
  r.add_out(solve, "out").with_rule(kernel_first_out_rule);
}

}  // namespace ersatz::op_ldl
