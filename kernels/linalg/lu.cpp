#include "kernels/linalg/lu.h"

#include <algorithm>

#include "kernels/linalg/column_major.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_lu {

Kernel run_factor_cpu, run_det_cpu, run_slogdet_cpu, run_solve_cpu, run_inverse_cpu, run_lu_solve_cpu;

namespace {

constexpr Schemas kEach{kLuFactorEx, kDet, kSlogdet, kSolveEx, kInvEx};

void answer_factors(RuleCall& call, const TensorMeta& a, bool with_info) {
  const size_t rank = a.sizes.size();
  call.out.fresh(column_major_meta(a.dtype, a.sizes, call.device));
  DimVec pivots = leading_sizes(a.sizes, 2);
  pivots.push_back(sym_min(a.sizes[rank - 2], a.sizes[rank - 1]));
  call.out.fresh(TensorMeta(DType::I32, pivots, call.device));
  if (with_info) call.out.fresh(TensorMeta(DType::I32, leading_sizes(a.sizes, 2), call.device));
}

void factor_rule(RuleCall& call) {
  const TensorMeta& a = call.meta(kLuFactorEx["A"]);
  call.require(a.dim() >= 2, "C1", "expects matrices: A is {}", a);
  // adds the results before the dtype is checked, because ATen checks `out` before it looks for a kernel
  answer_factors(call, a, true);
  require_lapack_dtype(call, a);
  call.require(call.boolean(kLuFactorEx["pivot"]) || !call.device.is_cpu() || size_eq(a.numel(), 0), "C2",
               "needs pivot on the CPU: A is {}", a);
}

/// Raises unless A has square matrices with one of `dtypes`. RETURNS: the metadata of A.
const TensorMeta& require_matrices(RuleCall& call, DTypeSet dtypes) {
  const TensorMeta& a = call.meta(kEach["A"]);
  require_square(call, a);
  call.require_dtype_first(a.dtype, dtypes);
  return a;
}

void det_rule(RuleCall& call) {
  const TensorMeta& a = require_matrices(call, kAnyFloatsAndComplexes);
  // For an empty matrix, ATen computes the sign by a product with integers, and 8-bit floats do not promote with
  // integers.
  if (kFloat8s.has(a.dtype) && size_eq(a.numel(), 0))
    call.refuse(ErrorFamily::Runtime, "dtype", "no determinant is made of {}: A is {}", name(a.dtype), a);
  require_lapack_dtype(call, a);
  call.out.fresh(TensorMeta(a.dtype, leading_sizes(a.sizes, 2), call.device));
  answer_factors(call, a, false);
}

void slogdet_rule(RuleCall& call) {
  const TensorMeta& a = require_matrices(call, kLapackDTypes);
  const DimVec batch = leading_sizes(a.sizes, 2);
  call.out.fresh(TensorMeta(a.dtype, batch, call.device));
  call.out.fresh(TensorMeta(real_dtype(a.dtype), batch, call.device));
  answer_factors(call, a, false);
}

/// Returns the metadata of the solution of A X = B, or of X A = B if `left` is false. ATen solves the adjoint
/// of X A = B, so a complex solution is a lazy conjugate, unless the solution is empty.
TensorMeta solution_meta(const RuleCall& call, DType dtype, const DimVec& sizes, bool left) {
  if (left) return column_major_meta(dtype, sizes, call.device);
  TensorMeta meta(dtype, sizes, call.device);
  const bool empty = std::any_of(sizes.begin(), sizes.end(), [](SymInt s) { return s.is_identical(0); });
  meta.conj = is_complex(dtype) && !empty;
  return meta;
}

void lu_solve_rule(RuleCall& call) {
  const TensorMeta &lu = call.meta(kLuSolve["LU"]), &pivots = call.meta(kLuSolve["pivots"]),
                   &b = call.meta(kLuSolve["B"]);
  const bool left = call.boolean(kLuSolve["left"]);
  call.require_dtype_first(lu.dtype, kAnyFloatsAndComplexes);
  call.require(lu.dtype == b.dtype && pivots.dtype == DType::I32, "C3",
               "expects LU and B of one dtype and i32 pivots: LU is {}, pivots is {}, B is {}", lu, pivots, b);
  require_square(call, lu);
  call.require(b.dim() >= 2, "C4", "expects B of matrices: it is {}", b);
  call.require_index(pivots.dim() > 0, "C5", "pivots must have dims: it is {}", pivots);
  const size_t rank = b.sizes.size();
  const bool fits = check_eq(b.sizes[left ? rank - 2 : rank - 1], lu.sizes.back()) && pivots.dim() == lu.dim() - 1 &&
                    check_eq(pivots.sizes, leading_sizes(lu.sizes, 1));
  call.require(fits, "C5", "LU, pivots and B do not fit: they are {}, {} and {}, left is {}", lu, pivots, b, left);
  DimVec sizes = broadcast_batches(call, "C6", lu, leading_sizes(lu.sizes, 2), b, leading_sizes(b.sizes, 2));
  require_lapack_dtype(call, lu);
  sizes.push_back(b.sizes[rank - 2]);
  sizes.push_back(b.sizes[rank - 1]);
  call.out.fresh(solution_meta(call, lu.dtype, sizes, left));
}

void solve_rule(RuleCall& call) {
  const TensorMeta &a = call.meta(kSolveEx["A"]), &b = call.meta(kSolveEx["B"]);
  const bool left = call.boolean(kSolveEx["left"]);
  call.require_dtype_first(a.dtype, kAnyFloatsAndComplexes);
  call.require(a.dtype == b.dtype, "C3", "expects A and B of one dtype: A is {}, B is {}", a, b);
  const bool vectors = b.dim() == 1 || (a.dim() - 1 == b.dim() && same_sizes(b.sizes, leading_sizes(a.sizes, 1)));
  require_square(call, a);
  call.require(vectors || b.dim() >= 2, "C4", "expects B of matrices or vectors: A is {}, B is {}", a, b);
  DimVec of_b = leading_sizes(b.sizes, 0);
  if (vectors) of_b.push_back(1);
  const size_t rank = of_b.size();
  const SymInt& n = a.sizes.back();
  call.require(check_eq(of_b[left ? rank - 2 : rank - 1], n), "C5", "A and B do not fit: A is {}, B is {}, left is {}",
               a, b, left);
  DimVec sizes = broadcast_batches(call, "C6", a, leading_sizes(a.sizes, 2), b, leading_sizes(of_b, 2));
  call.require(left || !vectors, "C7", "vectors need left: A is {}, B is {}", a, b);
  require_lapack_dtype(call, a);
  sizes.push_back(of_b[rank - 2]);
  if (!vectors) sizes.push_back(of_b[rank - 1]);
  call.out.fresh(solution_meta(call, a.dtype, sizes, left));
  answer_factors(call, a, true);
}

void inverse_rule(RuleCall& call) {
  const TensorMeta& a = require_matrices(call, kLapackDTypes);
  call.out.fresh(column_major_meta(a.dtype, a.sizes, call.device));
  call.out.fresh(TensorMeta(DType::I32, leading_sizes(a.sizes, 2), call.device));
}

OpEntry& of_square(Registry& r, const Schema& schema, Rule rule, FillKernel kernel) {
  return r.add(schema)
      .with_rule(rule)
      .cpu(kernel)
      .with_fallback(FallbackPolicy::Rule, Fill::Identity)
      .sample("f32[2,3,3]")
      .sample("f64[0,0]")
      .refuses("C1", "f32[2]")
      .refuses("C2", "f32[2,3]")
      .refuses("", "i64[2,2]");
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& factor = r.add(kLuFactorEx)
                        .tag(Tag::FailsOnValues)
                        .with_rule(factor_rule)
                        .cpu(run_factor_cpu)
                        .with_fallback(FallbackPolicy::Rule, Fill::Identity)
                        .sample("f32[2,3,4]")
                        .refuses("C1", "f32[2]")
                        .refuses("C2", "f32[2,2], pivot=False");
  r.add_out(factor, "out", {}, {"LU", "pivots", "info"}).with_rule(kernel_first_out_rule);
  r.add_out(of_square(r, kDet, det_rule, run_det_cpu), "result", {}, {"result", "LU", "pivots"})
      .with_rule(kernel_first_out_rule);
  r.add_out(of_square(r, kSlogdet, slogdet_rule, run_slogdet_cpu), "sign", {}, {"sign", "logabsdet", "LU", "pivots"})
      .with_rule(kernel_first_out_rule);
  OpEntry& inverse = of_square(r, kInvEx, inverse_rule, run_inverse_cpu).tag(Tag::FailsOnValues);
  r.add_out(inverse, "inverse", {}, {"inverse", "info"}).with_rule(kernel_first_out_rule);
  OpEntry& solve = r.add(kSolveEx)
                       .tag(Tag::FailsOnValues)
                       .with_rule(solve_rule)
                       .cpu(run_solve_cpu)
                       .with_fallback(FallbackPolicy::Rule, Fill::Identity)
                       .sample("f32[2,3,3], f32[3,2]")
                       .sample("f32[3,3], f32[3]")
                       .sample("f64[3,3], f64[2,3], left=False")
                       .sample("c64[3,3], c64[2,3], left=False")
                       .refuses("C1", "f32[2], f32[2]")
                       .refuses("C2", "f32[2,3], f32[2]")
                       .refuses("C3", "f32[2,2], f64[2]")
                       .refuses("C4", "f32[2,2], f32[]")
                       .refuses("C5", "f32[2,2], f32[3]")
                       .refuses("C6", "f32[2,2,2], f32[3,2,1]")
                       .refuses("C7", "f32[1,1], f32[1], left=False");
  r.add_out(solve, "result", {}, {"result", "LU", "pivots", "info"}).with_rule(kernel_first_out_rule);
  OpEntry& of_factors = r.add(kLuSolve)
                            .with_rule(lu_solve_rule)
                            .cpu(run_lu_solve_cpu)
                            .tag(Tag::FailsOnValues)
                            .with_fallback(FallbackPolicy::Rule, Fill::Identity)
                            .sample("f32[2,1,1], i32[2,1], f32[1,3]", 1, 1)
                            .sample("f32[1,1], i32[1], f32[2,3,1], left=False, adjoint=True", 1, 1)
                            .sample("c64[1,1], i32[1], c64[2,3,1], left=False", 1, 1)
                            .refuses("C1", "f32[2], i32[2], f32[2,2]")
                            .refuses("C2", "f32[2,3], i32[2], f32[2,2]")
                            .refuses("C3", "f32[2,2], i64[2], f32[2,2]")
                            .refuses("C4", "f32[2,2], i32[2], f32[2]")
                            .refuses("C5", "f32[2,2], i32[2], f32[3,2]")
                            .refuses("C6", "f32[2,2,2], i32[2,2], f32[3,2,1]");
  r.add_out(of_factors, "out").with_rule(kernel_first_out_rule);
}

}  // namespace ersatz::op_lu
