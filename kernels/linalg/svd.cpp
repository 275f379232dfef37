#include "kernels/linalg/svd.h"

#include "kernels/creation/full.h"
#include "kernels/linalg/column_major.h"
#include "kernels/linalg/factor_residual.h"
#include "kernels/linalg/named_factors.h"
#include "kernels/own_dtype.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/resize.h"
#include "runtime/op/composite.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/library_choice.h"
#include "runtime/op/registry.h"

namespace ersatz::op_svd {

Kernel run_cpu;

namespace {

DimVec matrices(const TensorMeta& a, SymInt rows, SymInt columns) {
  DimVec sizes = leading_sizes(a.sizes, 2);
  sizes.push_back(rows);
  sizes.push_back(columns);
  return sizes;
}

void rule(RuleCall& call) {
  const TensorMeta& a = call.meta(kSvd["A"]);
  call.require(a.dim() >= 2, "C1", "expects matrices: A is {}", a);
  call.require_dtype_first(a.dtype, kAnyFloatsAndComplexes);
  call.require(!call.has(kSvd["driver"]) || !call.device.is_cpu(), "C2", "the CPU takes no driver: A is {}", a);
  require_lapack_dtype(call, a);
  const SymInt m = a.sizes[a.sizes.size() - 2], n = a.sizes.back(), k = sym_min(m, n);
  const bool full = call.boolean(kSvd["full_matrices"]), vectors = call.boolean(kSvd["compute_uv"]);
  const TensorMeta nothing(a.dtype, DimVec{SymInt(0)}, call.device);
  DimVec values = leading_sizes(a.sizes, 2);
  values.push_back(k);
  const DimVec of_u = matrices(a, m, full ? m : k), of_v = matrices(a, full ? n : k, n);
  call.out.fresh(vectors ? column_major_meta(a.dtype, of_u, call.device) : nothing);
  call.out.fresh(TensorMeta(real_dtype(a.dtype), values, call.device));
  if (!vectors || !call.device.is_cuda()) {
    call.out.fresh(vectors ? column_major_meta(a.dtype, of_v, call.device) : nothing);
    return;
  }
  // LAPACK returns V, so Vh is a lazy conjugate of it. For an empty A, ATen does not call LAPACK, and Vh is no lazy
  // conjugate.
  call.out.fresh(TensorMeta(a.dtype, of_v, call.device)).conj = is_complex(a.dtype) && size_ne(a.numel(), 0);
}

void old_svd(CompositeCall& call) {
  const Tensor self = call.tensor(kOldSvd["self"]);
  call.require(self.dim() >= 2, "C1", "expects matrices: self is {}", self.meta());
  if (call.boolean(kOldSvd["compute_uv"])) {
    const auto [u, s, vh] = ops::linalg_svd(self, !call.boolean(kOldSvd["some"]));
    call.returns(u);
    call.returns(s);
    call.returns(call_op<"aten.mH.default">(vh));
    return;
  }
  const Tensor s = ops::linalg_svdvals(self);
  const FactoryOptions alike{.dtype = self.dtype(), .device = self.device()};
  const SymInt m = self.sizes()[static_cast<size_t>(self.dim() - 2)], n = self.sizes().back();
  call.returns(ops::zeros(matrices(self.meta(), m, m), alike));
  call.returns(s);
  call.returns(call_op<"aten.mH.default">(ops::zeros(matrices(self.meta(), n, n), alike)));
}
void old_svd_out(CompositeCall& call) {
  const Position first = kOldSvd.out();
  const Tensor self = call.tensor(kOldSvd["self"]), u = call.tensor(first), s = call.tensor(first + 1),
               v = call.tensor(first + 2);
  if (call.boolean(kOldSvd["compute_uv"])) {
    if (v.dim() >= 2) call_op<"aten.transpose_.default">(v, int64_t(-2), int64_t(-1));
    call_op_all<"aten.linalg_svd.U">(self, !call.boolean(kOldSvd["some"]), Value(), u, s, v);
    call_op<"aten.transpose_.default">(v, int64_t(-2), int64_t(-1));
    if (is_complex(v.dtype())) call_op<"aten.conj_physical_.default">(v);
  } else {
    call_op<"aten.linalg_svdvals.out">(self, Value(), s);
    const SymInt m = self.sizes()[static_cast<size_t>(self.dim() - 2)], n = self.sizes().back();
    for (const auto& [at, size] : {std::pair(first, m), std::pair(Position{first + 2}, n)}) {
      require_own_dtype(call, at, self.dtype());
      const Tensor t = call.tensor(at);
      const DimVec sizes = matrices(self.meta(), size, size);
      if (!same_sizes(t.sizes(), sizes)) ops::resize_(t, sizes);
      call_op<"aten.zero_.default">(t);
    }
  }
  for (size_t i = 0; i < 3; ++i) call.returns(call[first + i]);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kSvd)
                    .tag(Tag::FailsOnValues)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .with_fallback(FallbackPolicy::Rule, Fill::Identity)
                    .sample("f32[2,1,1]")
                    .sample("f32[2,3], False, False")
                    .refuses("C1", "f32[2]")
                    .refuses("C2", "f32[2,2], driver=\"gesvd\"");
  r.add_out(op, "U", {}, {"U", "S", "Vh"}).with_rule(kernel_first_out_rule);
  OpEntry& old = r.add(kOldSvd)
                     .tag(Tag::FailsOnValues)
                     .with_composite(old_svd)
                     .sample("f32[2,1,1]")
                     .sample("f32[2,3], False, False")
                     .refuses("C1", "f32[2]");
  for (const char* name :
       {"aten._linalg_svd.default", "aten._linalg_svd.U", "aten.linalg_svd.default", "aten.linalg_svd.U"})
    declare_library_choice(name, {.free = 0b101, .residual = svd_residual});
  for (const char* name : {"aten.svd.default", "aten.svd.U"})
    declare_library_choice(name, {.free = 0b101, .residual = old_svd_residual});
  r.add_out_alike(old, "U", {"U", "S", "V"})
      .with_composite(old_svd_out)
      .sample("f32[1,1], U=f32[0], S=f32[0], V=f32[0]");
}

}  // namespace ersatz::op_svd
