#include "kernels/linalg/eigen.h"

#include "kernels/linalg/column_major.h"
#include "kernels/linalg/factor_residual.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/library_choice.h"
#include "runtime/op/registry.h"

namespace ersatz::op_eigen {

Kernel run_eigh_cpu, run_eig_cpu, run_eigvals_cpu;

namespace {

void eigh_rule(RuleCall& call) {
  const TensorMeta& a = call.meta(kEigh["A"]);
  require_square(call, a);
  const std::string_view triangle = call[kEigh["UPLO"]].as_string();
  call.require(!triangle.empty() && std::string_view("ULul").find(triangle[0]) != std::string_view::npos, "C3",
               "UPLO must be U or L: it is '{}'", triangle);
  require_lapack_dtype(call, a);
  call.out.fresh(TensorMeta(real_dtype(a.dtype), leading_sizes(a.sizes, 1), call.device));
  call.out.fresh(call.boolean(kEigh["compute_v"]) ? column_major_meta(a.dtype, a.sizes, call.device)
                                                  : TensorMeta(a.dtype, DimVec{SymInt(0)}, call.device));
}

template <bool vectors>
void eig_rule(RuleCall& call) {
  static constexpr Schemas kEach{kEig, kEigvals};
  const TensorMeta& a = call.meta(kEach["self"]);
  require_square(call, a);
  if (a.dtype == DType::C32) call.require_dtype_first(a.dtype, kFloatsAndComplexes);
  call.require(kFloatsAndComplexes.has(a.dtype), "C3", "expects floats or complex numbers: self is {}", a);
  call.require_dtype(a.dtype, kLapackDTypes);
  const DType dtype = complex_dtype(a.dtype);
  call.out.fresh(TensorMeta(dtype, leading_sizes(a.sizes, 1), call.device));
  if (!vectors) return;
  call.out.fresh(call.device.is_cuda() ? TensorMeta(dtype, a.sizes, call.device)
                                       : column_major_meta(dtype, a.sizes, call.device));
}

}  // namespace

void register_ops(Registry& r) {
  const auto add = [&](const Schema& schema, Rule rule, FillKernel kernel) -> OpEntry& {
    return r.add(schema)
        .tag(Tag::FailsOnValues)
        .with_rule(rule)
        .cpu(kernel)
        .with_fallback(FallbackPolicy::Rule, Fill::Identity)
        .refuses("C1", "f32[2]")
        .refuses("C2", "f32[2,3]");
  };
  OpEntry& eigh = add(kEigh, eigh_rule, run_eigh_cpu)
                      .sample("f32[2,1,1]")
                      .sample("f32[3,3], \"U\", False")
                      .refuses("C3", "f32[2,2], \"X\"");
  r.add_out(eigh, "eigenvalues", {}, {"eigenvalues", "eigenvectors"}).with_rule(kernel_first_out_rule);
  OpEntry& eig = add(kEig, eig_rule<true>, run_eig_cpu).sample("f32[2,1,1]").refuses("C3", "i64[2,2]");
  r.add_out(eig, "out", WrittenForm{.cast = WrittenCast::Any}, {"eigenvalues", "eigenvectors"})
      .with_rule(column_major_out_rule);
  OpEntry& values = add(kEigvals, eig_rule<false>, run_eigvals_cpu).sample("f32[2,1,1]").refuses("C3", "i64[2,2]");
  for (const char* op : {"aten._linalg_eigh.default", "aten._linalg_eigh.eigenvalues", "aten.linalg_eigh.default",
                         "aten.linalg_eigh.eigvals"})
    declare_library_choice(op, {.free = 0b10, .residual = hermitian_residual});
  for (const char* op : {"aten.linalg_eig.default", "aten.linalg_eig.out"})
    declare_library_choice(op, {.free = 0b10, .residual = eigen_residual});
  r.add_out(values, "out", WrittenForm{.cast = WrittenCast::Any});
}

}  // namespace ersatz::op_eigen
