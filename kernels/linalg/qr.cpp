#include "kernels/linalg/qr.h"

#include "kernels/linalg/column_major.h"
#include "kernels/linalg/factor_residual.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/library_choice.h"
#include "runtime/op/registry.h"
#include "runtime/op/type_promotion.h"

namespace ersatz::op_qr {

Kernel run_qr_cpu, run_geqrf_cpu, run_householder_cpu, run_ormqr_cpu;

namespace {

DimVec with(DimVec batch, SymInt rows, SymInt columns) {
  batch.push_back(rows);
  batch.push_back(columns);
  return batch;
}
/// Returns the size of the dim that is `from_end` dims from the end, where 1 is the last. REQUIRES: t.dim() >=
/// `from_end`.
SymInt size_of(const TensorMeta& t, size_t from_end) { return t.sizes[t.sizes.size() - from_end]; }

void qr_rule(RuleCall& call) {
  const TensorMeta& a = call.meta(kQr["A"]);
  call.require(a.dim() >= 2, "C1", "expects matrices: A is {}", a);
  call.require_dtype_first(a.dtype, kAnyFloatsAndComplexes);
  call.require_dtype(a.dtype, kLapackDTypes);
  const std::string_view mode = call[kQr["mode"]].as_string();
  call.require(mode == "reduced" || mode == "complete" || mode == "r", "C2",
               "mode must be reduced, complete or r: it is {}", mode);
  const SymInt m = size_of(a, 2), n = size_of(a, 1), k = mode == "complete" ? m : sym_min(m, n);
  const DimVec batch = leading_sizes(a.sizes, 2);
  call.out.fresh(mode == "r" ? TensorMeta(a.dtype, DimVec{SymInt(0)}, call.device)
                             : column_major_meta(a.dtype, with(batch, m, k), call.device));
  call.out.fresh(column_major_meta(a.dtype, with(batch, k, n), call.device));
}
void geqrf_rule(RuleCall& call) {
  const TensorMeta& a = call.meta(kGeqrf["self"]);
  call.require(a.dim() >= 2, "C1", "expects matrices: self is {}", a);
  call.require_dtype(a.dtype, kLapackDTypes);
  call.out.fresh(column_major_meta(a.dtype, a.sizes, call.device));
  DimVec scales = leading_sizes(a.sizes, 2);
  scales.push_back(sym_min(size_of(a, 2), size_of(a, 1)));
  call.out.fresh(TensorMeta(a.dtype, scales, call.device));
}
/// geqrf.out in ATen checks that the results can be cast, then looks for a kernel, then checks the memory of the
/// outputs.
void geqrf_out_rule(RuleCall& call) {
  const TensorMeta& a = call.meta(kGeqrf["self"]);
  for (size_t i = 1; i < call.args.size(); ++i) {
    const TensorMeta& to = call.meta(i);
    call.require(can_cast(a.dtype, to.dtype), "result_type", "a result of dtype {} cannot be written to {}",
                 name(a.dtype), to);
  }
  const size_t first = kGeqrf.count(), tau = first + 1;
  const TensorMeta& out = call.meta(first);
  call.require(a.dim() < 2 || call.tensor(first) != call.tensor(tau) || out.dtype != a.dtype || size_ne(out.numel(), 0),
               "overlap.or_any", "one tensor cannot be resized to both a and tau: it is {}", out);
  if (a.dim() >= 2) call.require_dtype_first(a.dtype, kLapackDTypes);
  column_major_out_rule(call);
}
void householder_rule(RuleCall& call) {
  const TensorMeta &a = call.meta(kHouseholder["input"]), &tau = call.meta(kHouseholder["tau"]);
  call.require(a.dim() < 2 || check_ge(size_of(a, 2), size_of(a, 1)), "C2", "expects no more columns than rows: {}", a);
  call.require_index(a.dim() < 2 || tau.dim() > 0, "C1", "tau must have dims: it is {}", tau);
  call.require(a.dim() >= 2 && tau.dim() == a.dim() - 1, "C1",
               "tau must have a dim less than matrices: they are {}, {}", tau, a);
  call.require(check_ge(size_of(a, 2), size_of(a, 1)) && check_ge(size_of(a, 1), size_of(tau, 1)), "C2",
               "expects no more columns than rows and no more scales than columns: input is {}, tau is {}", a, tau);
  call.require(check_eq(leading_sizes(a.sizes, 2), leading_sizes(tau.sizes, 1)), "C3",
               "expects one batch: input is {}, tau is {}", a, tau);
  call.require(a.dtype == tau.dtype, "C4", "expects one dtype: input is {}, tau is {}", a, tau);
  call.require_dtype(a.dtype, kLapackDTypes);
  call.out.fresh(column_major_meta(a.dtype, a.sizes, call.device));
}
void ormqr_rule(RuleCall& call) {
  const TensorMeta &a = call.meta(kOrmqr["self"]), &tau = call.meta(kOrmqr["input2"]), &c = call.meta(kOrmqr["input3"]);
  call.require(a.dim() >= 2 && c.dim() >= 2, "C1", "expects matrices: self and input3 are {} and {}", a, c);
  const SymInt order = size_of(c, call.boolean(kOrmqr["left"]) ? 2 : 1);
  call.require(check_eq(order, size_of(a, 2)), "C2", "input3 must fit Q: self and input3 are {} and {}", a, c);
  call.require_index(tau.dim() > 0, "C1", "input2 must have dims: it is {}", tau);
  call.require(c.dim() == a.dim() && tau.dim() == a.dim() - 1, "C1",
               "expects self and input3 of matrices and input2 with a dim less: they are {}, {} and {}", a, c, tau);
  call.require(check_eq(sym_min(order, size_of(a, 1)), size_of(tau, 1)), "C2",
               "input3 must fit Q, of as many scales as columns: self, input2 and input3 are {}, {} and {}", a, tau, c);
  const DimVec batch = leading_sizes(a.sizes, 2);
  call.require(check_eq(batch, leading_sizes(tau.sizes, 1)) && check_eq(batch, leading_sizes(c.sizes, 2)), "C3",
               "expects one batch: self, input2 and input3 are {}, {} and {}", a, tau, c);
  call.require(a.dtype == tau.dtype && a.dtype == c.dtype, "C4",
               "expects one dtype: self, input2 and input3 are {}, {} and {}", a, tau, c);
  call.require_dtype(a.dtype, kLapackDTypes);
  call.out.fresh(column_major_meta(c.dtype, c.sizes, call.device));
}

}  // namespace

void register_ops(Registry& r) {
  const auto add = [&](const Schema& schema, Rule rule, FillKernel kernel) -> OpEntry& {
    return r.add(schema).with_rule(rule).cpu(kernel).with_fallback(FallbackPolicy::Rule, Fill::Identity);
  };
  const WrittenForm cast{.cast = WrittenCast::Any};
  OpEntry& qr = add(kQr, qr_rule, run_qr_cpu)
                    .sample("f32[2,3,4]")
                    .sample("f32[4,3], \"complete\"")
                    .sample("f32[4,3], \"r\"")
                    .refuses("C1", "f32[2]")
                    .refuses("C2", "f32[2,2], \"full\"");
  r.add_out(qr, "out", {}, {"Q", "R"}).with_rule(kernel_first_out_rule);
  for (const char* name : {"aten.linalg_qr.default", "aten.linalg_qr.out"})
    declare_library_choice(name, {.free = 0b11, .residual = qr_residual});
  OpEntry& geqrf = add(kGeqrf, geqrf_rule, run_geqrf_cpu).sample("f32[2,3,4]").refuses("C1", "f32[2]");
  r.add_out(geqrf, "a", cast, {"a", "tau"}).with_rule(geqrf_out_rule);
  OpEntry& product = add(kHouseholder, householder_rule, run_householder_cpu)
                         .sample("f32[2,4,3], f32[2,2]")
                         .refuses("C1", "f32[2,2], f32[2,2]")
                         .refuses("C2", "f32[2,3], f32[2]")
                         .refuses("C3", "f32[2,3,3], f32[1,3]")
                         .refuses("C4", "f32[2,2], f64[2]");
  r.add_out(product, "out", cast).with_rule(column_major_out_rule);
  OpEntry& ormqr = add(kOrmqr, ormqr_rule, run_ormqr_cpu)
                       .sample("f32[2,4,3], f32[2,3], f32[2,4,5]")
                       .sample("f32[4,3], f32[3], f32[5,4], False, True")
                       .refuses("C1", "f32[2,2], f32[2], f32[1,2,2]")
                       .refuses("C2", "f32[2,2], f32[2], f32[3,2]")
                       .refuses("C3", "f32[2,2,2], f32[2,2], f32[1,2,2]")
                       .refuses("C4", "f32[2,2], f32[2], f64[2,2]");
  r.add_out(ormqr, "out").with_rule(column_major_out_rule);
}

}  // namespace ersatz::op_qr
